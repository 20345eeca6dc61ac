import { type ComponentType, createContext, type ReactNode, Suspense, use, useCallback, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { ErrorBoundary } from './error-boundary.tsx'

export type DialogAboveProps<Subject> = { subject: Subject; isOpen: boolean; onClose: () => void; onClosed: () => void }

/**
 * The one dialog of its sort on a page, above the cards that open it: a card that goes, because its record was deleted
 * elsewhere, takes nothing along that is being typed. Leaving the page closes it. Answers what holds it, and the way to
 * open it.
 */
export const dialogAbove = <Subject extends { id: string }>(Dialog: ComponentType<DialogAboveProps<Subject>>) => {
  const Open = createContext<(subject: Subject) => void>(() => {})

  const Holder = ({ children }: { children: ReactNode }) => {
    const { pathname } = useLocation()
    const [opened, setOpened] = useState<{ subject: Subject; isOpen: boolean; on: string } | null>(null)
    const opener = useRef<Element | null>(null)

    const open = useCallback(
      (subject: Subject) => {
        opener.current = document.activeElement
        setOpened({ subject, isOpen: true, on: pathname })
      },
      [pathname],
    )

    return (
      <Open value={open}>
        {children}
        {opened?.on === pathname && (
          <ErrorBoundary key={opened.subject.id} fallback={null}>
            <Suspense>
              <Dialog
                subject={opened.subject}
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
      </Open>
    )
  }

  return { Holder, useOpen: () => use(Open) }
}
