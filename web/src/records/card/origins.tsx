import { type PointerEvent, useId, useRef } from 'react'
import { formatAgo, formatMoment } from '#web/lib/dates.ts'
import classes from './origins.module.css'
import { type Origin, providersOf } from './provenance-words.ts'

type OriginsProps = { name: string; origins: [Origin, ...Origin[]] }

/** The providers of a record's data and when they gave it. Hover, focus or a tap shows it field by field. */
export const Origins = ({ name, origins }: OriginsProps) => {
  const id = useId()
  const line = useRef<HTMLButtonElement>(null)
  const details = useRef<HTMLDivElement>(null)
  const show = () => line.current && details.current?.showPopover({ source: line.current })
  const hide = () => details.current?.hidePopover()
  // A tap is a click, which the browser handles by `popoverTarget`.
  const withMouse = (act: () => void) => (event: PointerEvent) => event.pointerType === 'mouse' && act()
  return (
    <div className={classes.root} onPointerEnter={withMouse(show)} onPointerLeave={withMouse(hide)}>
      <button
        ref={line}
        type="button"
        className={classes.line}
        popoverTarget={id}
        popoverTargetAction="show"
        aria-describedby={id}
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && show()}
        onBlur={hide}
      >
        <span className={classes.providers}>From {providersOf(origins)},</span>{' '}
        <span className={classes.time}>
          {formatAgo(origins[0].at)}
          <span className="visually-hidden">, data on {name}</span>
        </span>
      </button>
      <div ref={details} id={id} popover="auto" className={classes.details}>
        <ul className={classes.origins}>
          {origins.map(({ fields, provider, at }) => (
            <li key={fields}>
              <b>{fields}</b>: {provider}, <time dateTime={at}>{formatMoment(at)}</time>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
