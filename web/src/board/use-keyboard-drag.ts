import { type KeyboardEvent, useState } from 'react'
import type { RecordRow } from '#web/records/record-row.ts'
import { type Column, columnKey } from './api.ts'

type Carried = { record: RecordRow; from: string; over: string }

type CarryOptions = {
  columns: Column[]
  mayDrop: (column: string) => boolean
  nameOf: (column: Column) => string
  onDrop: (record: RecordRow, to: string) => void
}

/** Carries a card between columns by keys: Space or Enter picks it up and drops it, arrows choose the column, Escape cancels. */
export function useKeyboardDrag({ columns, mayDrop, nameOf, onDrop }: CarryOptions) {
  const [carried, setCarried] = useState<Carried>()
  const [said, say] = useState('')
  const places = columns.filter((column) => mayDrop(columnKey(column)) || columnKey(column) === carried?.from)
  const where = (key: string) => {
    const place = places.findIndex((column) => columnKey(column) === key)
    const column = places[place]
    return column ? `${nameOf(column)}, column ${place + 1} of ${places.length}` : ''
  }
  const cancel = () => {
    if (!carried) return
    setCarried(undefined)
    say(`Not moved. ${carried.record.name} is in ${where(carried.from)}.`)
  }

  const press = (event: KeyboardEvent, record: RecordRow, from: string) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const isAct = event.key === ' ' || event.key === 'Enter'
    if (!carried) {
      if (!isAct) return
      setCarried({ record, from, over: from })
      say(
        `Picked up ${record.name}. It is in ${where(from)}. Arrow keys choose a column, Enter drops it, Escape cancels.`,
      )
    } else if (isAct) {
      setCarried(undefined)
      if (carried.over === carried.from) say(`${record.name} stays in ${where(from)}.`)
      else {
        say(`Dropped ${record.name} in ${where(carried.over)}.`)
        onDrop(record, carried.over)
      }
    } else if (event.key === 'Escape') cancel()
    else {
      const at = places.findIndex((column) => columnKey(column) === carried.over)
      const step = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: places.length - 1 }[event.key]
      if (step === undefined) return
      const next = places[Math.max(0, Math.min(step, places.length - 1))]
      if (next) {
        const over = columnKey(next)
        setCarried({ ...carried, over })
        say(where(over))
        document
          .querySelector(`[data-column="${CSS.escape(over)}"]`)
          ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      }
    }
    event.preventDefault()
    event.stopPropagation()
  }
  return { carried, said, press, cancel }
}
