import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useCloseOnBack } from '#web/ui/dialogs/close-on-back.ts'
import { charactersOf } from '#web/ui/keys/characters.ts'
import { isDialogOpen, useSingleKey } from '#web/ui/keys/use-single-key.ts'

type Shown = 'palette' | 'keys'

/** What lies above the page: the command palette or the list of keys. It is mounted when it first opens. */
export type Palette = {
  shown: Shown | undefined
  hasOpened: boolean
  open: (shown: Shown) => void
  close: () => void
  /** Called when it has closed. A command that leads to another screen has moved the focus already. */
  returnFocus: () => void
  /** Called when its script could not be loaded. The next opening tries again. */
  giveUp: () => void
}

/** Opens with ⌘ K or Ctrl K, also in a field, and the list of keys with `?`. An open dialog keeps all keys. */
export function usePalette(): Palette {
  const [shown, setShown] = useState<Shown>()
  const [hasOpened, setOpened] = useState(false)
  const isOpen = useRef(false)
  const opener = useRef<Element | null>(null)
  const open = (next: Shown) => {
    if (!isOpen.current) opener.current = document.activeElement
    isOpen.current = true
    setOpened(true)
    setShown(next)
  }
  const close = () => {
    isOpen.current = false
    setShown(undefined)
  }
  useCloseOnBack(shown !== undefined, close)
  const returnFocus = () => {
    if (!document.activeElement?.matches('main, main *') && opener.current instanceof HTMLElement)
      opener.current.focus()
  }
  const toggle = () => {
    if (isOpen.current) close()
    else if (!isDialogOpen()) open('palette')
  }
  const giveUp = () => {
    close()
    setOpened(false)
    returnFocus()
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || !charactersOf(event).includes('k'))
      return
    event.preventDefault()
    toggle()
  })
  // Before the frame is painted: the key counts as soon as one sees it.
  useLayoutEffect(() => {
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
  useSingleKey('?', () => open('keys'))
  return { shown, hasOpened, open, close, returnFocus, giveUp }
}
