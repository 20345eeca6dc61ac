import { type ComponentType, createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react'
import { type Location, useLocation, useNavigate } from 'react-router'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'

export type DialogAboveProps<Subject> = { subject: Subject; isOpen: boolean; onClose: () => void; onClosed: () => void }

/** The state of a browser history entry with an open dialog: the dialog, and the key of the page below. */
type DialogState = { dialog: string; page: string } | null

/** The same scroll key for a page and the dialogs above it, so that closing one does not scroll. */
export const scrollKeyOf = ({ state, key }: Location<DialogState>) => state?.page ?? key

/**
 * A dialog that is mounted above the cards that open it: if a card disappears, because another fellow deletes its
 * record, the dialog stays, with the text in it. An open dialog has its own entry in the browser's history, so that
 * Back closes it and Forward opens it again. `failed` says that its script could not be loaded. Returns the component that
 * holds the dialog, a hook for the function that opens it, and a function that loads its script.
 */
export const dialogAbove = <Subject extends { id: string }>(
  sort: string,
  failed: string,
  load: () => Promise<ComponentType<DialogAboveProps<Subject>>>,
) => {
  const Dialog = lazyPart(failed, load)
  const Open = createContext<(subject: Subject) => void>(() => {})

  const Holder = ({ children }: { children: ReactNode }) => {
    const navigate = useNavigate()
    const location: Location<DialogState> = useLocation()
    const [subject, setSubject] = useState<Subject>()
    const [isDrawn, setDrawn] = useState(false)
    const [closing, setClosing] = useState<string>()
    const opener = useRef<Element | null>(null)
    const here = useRef(location)
    /** A dialog that opens while the previous one is still closing. The browser goes back first. */
    const next = useRef<Subject>(undefined)

    const named = location.state?.dialog
    const isOpen = subject !== undefined && named === `${sort} ${subject.id}` && closing !== location.key
    if (isOpen && !isDrawn) setDrawn(true)
    if (closing !== undefined && closing !== location.key) setClosing(undefined)

    // After a reload the subject is unknown, so this goes back to the page below.
    const isLost = subject === undefined && named?.startsWith(`${sort} `)
    const left = useRef('')
    useEffect(() => {
      if (!isLost || left.current === location.key) return
      left.current = location.key
      navigate(-1)
    }, [location, isLost, navigate])

    const open = useCallback(
      (subject: Subject) => {
        opener.current = document.activeElement
        const { pathname, search, key, state } = here.current
        if (state?.dialog !== undefined) {
          next.current = subject
          return
        }
        setSubject(subject)
        const opened: DialogState = { dialog: `${sort} ${subject.id}`, page: key }
        // Immediately, because of the second click of a double click.
        here.current = { ...here.current, state: opened }
        navigate({ pathname, search }, { state: opened, preventScrollReset: true })
      },
      [navigate],
    )

    useEffect(() => {
      here.current = location
      const waiting = next.current
      next.current = undefined
      if (waiting && location.state?.dialog === undefined) open(waiting)
    }, [location, open])

    const close = () => {
      if (!isOpen) return
      setClosing(location.key)
      navigate(-1)
    }
    const onClosed = () => {
      setDrawn(false)
      if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
    }
    const giveUp = () => {
      close()
      onClosed()
    }
    return (
      <Open value={open}>
        {children}
        {subject && isDrawn && (
          <Dialog key={subject.id} {...{ subject, isOpen, onClosed }} onClose={close} onCloseFailed={giveUp} />
        )}
      </Open>
    )
  }

  return { Holder, useOpen: () => use(Open), preload: Dialog.preload }
}
