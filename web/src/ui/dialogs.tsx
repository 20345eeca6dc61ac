import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Modal.css'
import { ModalsProvider } from '@mantine/modals'
import { createContext, type ReactNode, use } from 'react'

/** A question lies above whatever dialog asks it. */
const modalProps = { centered: true, zIndex: 300, transitionProps: { duration: 150 } }

const IsInside = createContext(false)

/**
 * Around a page or a dialog that asks something (see confirm.tsx), so that pages that do not need no dialog code. Every
 * provider hears every question, so one inside of another would ask it twice.
 */
export const Dialogs = ({ children }: { children: ReactNode }) =>
  use(IsInside) ? (
    children
  ) : (
    <IsInside value={true}>
      <ModalsProvider modalProps={modalProps}>{children}</ModalsProvider>
    </IsInside>
  )
