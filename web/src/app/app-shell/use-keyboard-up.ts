import { useEffect } from 'react'

/** Lower than any on-screen keyboard, higher than the bars that a browser shows and hides. */
const KEYBOARD_MIN_PX = 150

/** Marks the root element while an on-screen keyboard covers a part of the page, for the styles of the bars. */
export const useKeyboardUp = () =>
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    const mark = () => {
      // Zooming in makes the visible part smaller too.
      const covered = window.innerHeight - viewport.height * viewport.scale
      document.documentElement.toggleAttribute('data-keyboard', covered > KEYBOARD_MIN_PX)
    }
    mark()
    viewport.addEventListener('resize', mark)
    return () => {
      viewport.removeEventListener('resize', mark)
      document.documentElement.removeAttribute('data-keyboard')
    }
  }, [])
