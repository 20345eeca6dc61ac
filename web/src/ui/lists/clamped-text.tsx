import { type CSSProperties, type ReactNode, useCallback, useId, useState } from 'react'
import classes from './clamped-text.module.css'

type ClampedTextProps = {
  /** The number of lines shown before the text is expanded. */
  lines: number
  /** The subject of the text, for the accessible name of "more". */
  subject: string
  children: ReactNode
}

/** Text that is cut after a number of lines, with "more" at the end of the last one if the text is longer. */
export const ClampedText = ({ lines, subject, children }: ClampedTextProps) => {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [isCut, setCut] = useState(false)

  const measure = useCallback((element: HTMLElement | null) => {
    if (!element) return
    const observer = new ResizeObserver(() => {
      if (element.dataset.open !== undefined) return
      setCut(element.scrollHeight > element.clientHeight + 1)
      // Not `:dir(rtl)`: the build rewrites it to a list of languages, for browsers that do not have it.
      element.style.setProperty('--end', getComputedStyle(element).direction === 'rtl' ? 'left' : 'right')
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  return (
    <div className={classes.root} dir="auto" data-cut={(isCut && !isOpen) || undefined}>
      <div
        id={id}
        ref={measure}
        className={classes.text}
        data-open={isOpen || undefined}
        style={{ '--lines': lines } as CSSProperties}
      >
        {children}
      </div>
      {isCut && (
        <button
          type="button"
          className={classes.more}
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={`${isOpen ? 'less' : 'more'} of ${subject}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'less' : 'more'}
        </button>
      )}
    </div>
  )
}
