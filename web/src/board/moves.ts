import { newestFirst } from '#web/records/cache/newest-first.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { type Column, columnKey } from './api.ts'

/** Moves on their way: the record, and the column that it goes to. Undefined: it leaves the board. */
export type Moves = ReadonlyMap<string, { record: RecordRow; to: string | undefined }>

/** The board as it will be once the moves on their way are made. */
export const withMoves = (columns: Column[], moves: Moves): Column[] => {
  if (moves.size === 0) return columns
  return columns.map((column) => {
    const key = columnKey(column)
    const leaving = column.records.filter(({ id }) => moves.has(id) && moves.get(id)?.to !== key)
    const coming = [...moves.values()].filter(
      ({ record, to }) => to === key && !column.records.some(({ id }) => id === record.id),
    )
    if (leaving.length === 0 && coming.length === 0) return column
    const records = [
      ...column.records.filter((row) => !leaving.includes(row)),
      ...coming.map(({ record }) => record),
    ].sort(newestFirst)
    return { ...column, records, count: Math.max(0, column.count + coming.length - leaving.length) }
  })
}
