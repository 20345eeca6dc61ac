import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Modal.css'
import { ModalsProvider } from '@mantine/modals'
import type { ReactNode } from 'react'

/** Around a page that asks something (see confirm.tsx), so that pages that do not need no dialog code. */
export const Dialogs = ({ children }: { children: ReactNode }) => (
  <ModalsProvider modalProps={{ centered: true, transitionProps: { duration: 150 } }}>{children}</ModalsProvider>
)
