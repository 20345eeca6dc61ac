import { type ReactNode, useCallback, useId, useState } from 'react'
import classes from './clamped-text.module.css'

type ClampedTextProps = { lines: 2 | 4; subject: string; children: ReactNode }

/** Text cut after so many lines, with "more" only where something is cut. `subject` says what of, to those who hear it. */
export const ClampedText = ({ lines, subject, children }: ClampedTextProps) => {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [isCut, setCut] = useState(false)

  const measure = useCallback((element: HTMLElement | null) => {
    if (!element) return
    const observer = new ResizeObserver(() => {
      if (element.dataset.open === undefined) setCut(element.scrollHeight > element.clientHeight + 1)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  return (
    <div className={classes.root}>
      <div id={id} ref={measure} className={classes.text} dir="auto" data-lines={lines} data-open={isOpen || undefined}>
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
