import {
  type PointerEvent as ReactPointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import type { RecordRow } from '#web/records/record-row.ts'

/** A press becomes a drag after so many pixels. */
const BEGINS_AFTER = 5
/** This close to an edge, the board scrolls, by so many pixels a frame. */
const EDGE = 56
const SPEED = 12

type Dragged = { record: RecordRow; from: string; width: number; over: string | undefined }

type Press = { record: RecordRow; from: string; x: number; y: number; dx: number; dy: number; width: number }

type DragOptions = {
  board: RefObject<HTMLElement | null>
  mayDrop: (column: string) => boolean
  onDrop: (record: RecordRow, to: string) => void
}

/** Drags cards between columns by pointer events: by mouse from the whole card, by finger from its grip. */
export function useDrag({ board, mayDrop, onDrop }: DragOptions) {
  const [dragged, setDragged] = useState<Dragged>()
  const press = useRef<Press>(undefined)
  const ghost = useRef<HTMLDivElement>(null)
  const pointer = useRef({ x: 0, y: 0 })
  /** Set until the click that ends a drag has passed. */
  const hasDragged = useRef(false)

  const place = () => {
    const { x, y } = pointer.current
    const { dx = 0, dy = 0 } = press.current ?? {}
    if (ghost.current) ghost.current.style.transform = `translate(${x - dx}px, ${y - dy}px)`
    const column = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-column]')?.dataset.column
    const over = column !== undefined && mayDrop(column) ? column : undefined
    setDragged((dragged) => (dragged && dragged.over !== over ? { ...dragged, over } : dragged))
  }

  const move = useEffectEvent((event: PointerEvent) => {
    pointer.current = { x: event.clientX, y: event.clientY }
    const begun = press.current
    if (!begun) return
    if (dragged) return place()
    if (Math.hypot(event.clientX - begun.x, event.clientY - begun.y) < BEGINS_AFTER) return
    hasDragged.current = true
    setDragged({ record: begun.record, from: begun.from, width: begun.width, over: begun.from })
  })
  const end = useEffectEvent((isDrop: boolean) => {
    const { record, from, over } = dragged ?? {}
    press.current = undefined
    setDragged(undefined)
    if (isDrop && record && over !== undefined && over !== from) onDrop(record, over)
    // The click comes right after the pointer is up.
    setTimeout(() => {
      hasDragged.current = false
    })
  })
  const placeNow = useEffectEvent(place)

  useEffect(() => {
    const up = () => press.current && end(true)
    const cancel = () => press.current && end(false)
    const key = (event: KeyboardEvent) => event.key === 'Escape' && cancel()
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', up)
    window.addEventListener('pointercancel', cancel)
    window.addEventListener('keydown', key)
    return () => {
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', up)
      window.removeEventListener('pointercancel', cancel)
      window.removeEventListener('keydown', key)
    }
  }, [])

  const isDragging = dragged !== undefined
  useEffect(() => {
    if (!isDragging) return
    let frame = 0
    const scroll = () => {
      const element = board.current
      if (element) {
        const { left, right } = element.getBoundingClientRect()
        const { x } = pointer.current
        if (x < left + EDGE) element.scrollLeft -= SPEED
        else if (x > right - EDGE) element.scrollLeft += SPEED
      }
      placeNow()
      frame = requestAnimationFrame(scroll)
    }
    frame = requestAnimationFrame(scroll)
    return () => cancelAnimationFrame(frame)
  }, [isDragging, board])

  return {
    dragged,
    ghost,
    hasDragged,
    /** Begins a press on a card. */
    begin: (event: ReactPointerEvent<HTMLElement>, record: RecordRow, from: string) => {
      const target = event.target as Element
      const isOnGrip = target.closest('[data-grip]') !== null
      if (event.button !== 0 || (event.pointerType !== 'mouse' && !isOnGrip)) return
      if (!isOnGrip && target.closest('button, [role=menu]')) return
      const { left, top, width } = event.currentTarget.getBoundingClientRect()
      const { clientX: x, clientY: y } = event
      pointer.current = { x, y }
      press.current = { record, from, x, y, dx: x - left, dy: y - top, width }
    },
  }
}
