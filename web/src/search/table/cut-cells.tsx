import { type FocusEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import classes from './cut-cells.module.css'

type Shown = {
  x: number
  below: number
  above: number | undefined
  /** Whether each line needs the name of its column: the tip is not at the cell. */
  isOfRow: boolean
  lines: { name: string; text: string }[]
}

type CutCellsProps = { columns: readonly { name: string }[]; children: ReactNode }

/**
 * Shows the whole text of cells that are cut: of the cell under the mouse, and of the row in which the keyboard is on the
 * name. Screen readers read the cells themselves.
 */
export function CutCells({ columns, children }: CutCellsProps) {
  const [shown, setShown] = useState<Shown>()
  const tip = useRef<HTMLDivElement>(null)
  const mouse = useRef<{ x: number; y: number }>(undefined)
  const hide = () => setShown(undefined)
  const isShown = shown !== undefined

  useEffect(() => {
    if (!isShown) return
    const hideOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && setShown(undefined)
    const hideOnScroll = () => setShown(undefined)
    document.addEventListener('keydown', hideOnEscape)
    window.addEventListener('scroll', hideOnScroll, { capture: true, passive: true })
    return () => {
      document.removeEventListener('keydown', hideOnEscape)
      window.removeEventListener('scroll', hideOnScroll, { capture: true })
    }
  }, [isShown])

  const show = (at: Element, cells: HTMLTableCellElement[], isOfRow: boolean) => {
    const cut = cells.filter(isCut)
    if (cut.length === 0) return hide()
    const { left, right, top, bottom } = at.getBoundingClientRect()
    const isLow = bottom > window.innerHeight * 0.6
    setShown({
      x: Math.max(8, Math.min(left, right - 40, window.innerWidth - WIDTH_MAX - 8)),
      below: bottom,
      above: isLow ? window.innerHeight - top : undefined,
      isOfRow,
      lines: cut.map((cell) => ({ name: columns[cell.cellIndex - 1]?.name ?? '', text: textOf(cell) })),
    })
  }
  const point = ({ target, pointerType, clientX, clientY }: PointerEvent) => {
    // A tip that goes uncovers a cell under a mouse that has not moved.
    const isStill = mouse.current?.x === clientX && mouse.current.y === clientY
    mouse.current = { x: clientX, y: clientY }
    if (isStill || pointerType !== 'mouse' || !(target instanceof Element) || tip.current?.contains(target)) return
    const cell = target.closest<HTMLTableCellElement>('tbody td')
    if (cell) show(cell, [cell], false)
    else hide()
  }
  const focus = ({ target }: FocusEvent) => {
    const row = target.matches('tbody a:focus-visible') && target.closest('tr')
    const [, name] = row ? row.cells : []
    if (row && name) show(name, [...row.cells], true)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing can be done here; it only shows what the cells hold
    <div onPointerOver={point} onPointerLeave={hide} onFocus={focus} onBlur={hide}>
      {children}
      {shown && (
        <div
          ref={tip}
          aria-hidden="true"
          className={classes.tip}
          style={{
            left: shown.x,
            maxWidth: WIDTH_MAX,
            ...(shown.above === undefined ? { top: shown.below } : { bottom: shown.above }),
          }}
        >
          {shown.lines.map(({ name, text }) => (
            <p key={name} className={classes.line} dir="auto">
              {shown.isOfRow && <b>{name}: </b>}
              {text}
            </p>
          ))}
        </div>
      )}
    </div>
  )
}

const WIDTH_MAX = 360

const isHidden = (element: Element) => element.closest('.visually-hidden') !== null

/** Whether the cell, or a part of it, is narrower than its text. */
const isCut = (cell: Element) =>
  [cell, ...cell.querySelectorAll('*')].some(
    (one) => one.scrollWidth > one.clientWidth + 1 && !isHidden(one) && getComputedStyle(one).overflowX !== 'visible',
  )

function textOf(cell: HTMLElement): string {
  const copy = cell.cloneNode(true) as HTMLElement
  for (const hidden of copy.querySelectorAll('.visually-hidden')) hidden.remove()
  return copy.textContent?.trim() ?? ''
}
