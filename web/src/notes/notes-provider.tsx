import { createContext, lazy, type ReactNode, Suspense, use, useCallback, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { ErrorBoundary } from '#web/ui/error-boundary.tsx'
import type { Noted } from './api.ts'

const NotesDialog = lazy(async () => ({ default: (await import('./notes-dialog.tsx')).NotesDialog }))

const OpenNotes = createContext<(noted: Noted) => void>(() => {})

/** Opens the notes of a record. */
export const useOpenNotes = () => use(OpenNotes)

/**
 * Holds the one notes dialog of the page, above the cards that open it: a card that goes, because its record was deleted
 * elsewhere, takes nothing along that is being typed. Leaving the page closes it.
 */
export const NotesProvider = ({ children }: { children: ReactNode }) => {
  const { pathname } = useLocation()
  const [opened, setOpened] = useState<{ noted: Noted; isOpen: boolean; on: string } | null>(null)
  const opener = useRef<Element | null>(null)

  const open = useCallback(
    (noted: Noted) => {
      opener.current = document.activeElement
      setOpened({ noted, isOpen: true, on: pathname })
    },
    [pathname],
  )

  return (
    <OpenNotes value={open}>
      {children}
      {opened?.on === pathname && (
        <ErrorBoundary key={opened.noted.id} fallback={null}>
          <Suspense>
            <NotesDialog
              noted={opened.noted}
              isOpen={opened.isOpen}
              onClose={() => setOpened({ ...opened, isOpen: false })}
              onClosed={() => {
                setOpened(null)
                if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
              }}
            />
          </Suspense>
        </ErrorBoundary>
      )}
    </OpenNotes>
  )
}
