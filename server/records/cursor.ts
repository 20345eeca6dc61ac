import { hash } from 'node:crypto'
import { z } from 'zod'
import { invalid } from '#server/http/errors.ts'

// The order of a list, and the cursors of its pages.

/** The latest time of a position. PostgreSQL does not read the longer years of `toISOString`. */
export const LATEST = new Date('9999-12-31')

/** The types of the columns of a sort: in PostgreSQL, and in a cursor. */
const types = {
  time: {
    inSql: 'timestamptz',
    inCursor: z
      .int()
      .min(0)
      .max(LATEST.getTime())
      .transform((time) => new Date(time)),
  },
  id: { inSql: 'uuid', inCursor: z.guid() },
  number: { inSql: 'int', inCursor: z.int32() },
  day: { inSql: 'date', inCursor: z.iso.date() },
}

/** The order of a list, by columns in one direction that together identify a row. */
export type Sort = {
  name: string
  direction: 'asc' | 'desc'
  columns: Readonly<Record<string, keyof typeof types>>
}

/** The values of a row that determine its place in the list. */
export type Position<By extends Sort = typeof newest> = {
  [Column in keyof By['columns']]: z.output<(typeof types)[By['columns'][Column]]['inCursor']>
}

/** Times increase with ids, so equal times are ordered too. */
export const newest = {
  name: 'newest',
  direction: 'desc',
  columns: { createdAt: 'time', id: 'id' },
} as const satisfies Sort

export const oldest = { ...newest, name: 'oldest', direction: 'asc' } as const satisfies Sort

/** A position from the columns of a row as JSON. */
export const positionIn = <By extends Sort>(sort: By, values: Record<string, unknown>): Position<By> =>
  Object.fromEntries(
    Object.entries(sort.columns).map(([column, type]) => {
      const value = values[column]
      return [column, type === 'time' ? new Date(String(value)) : value]
    }),
  ) as Position<By>

export const typeInSql = (sort: Sort, column: string) => types[sort.columns[column] as keyof typeof types].inSql

/** The path and the parameters of a request. `URL` takes three times as long. */
export const partsOf = (url: string) => {
  const [path, query] = url.split('?', 2)
  return { path, parameters: new URLSearchParams(query) }
}

/** A list is its path and all parameters but those of the page, in any order. */
function listAt(url: string): string {
  const { path, parameters } = partsOf(url)
  parameters.delete('limit')
  parameters.delete('cursor')
  parameters.sort()
  return hash('sha256', `${path}?${parameters}`, 'base64url').slice(0, 11)
}

/** Names the sort, the list and the position of a row, so that it is valid for nothing else. */
export function cursorOf<By extends Sort>(sort: By, url: string, row: Position<By>): string {
  const values = Object.keys(sort.columns).map((column) => {
    const value = row[column as keyof Position<By>]
    return value instanceof Date ? value.getTime() : value
  })
  return Buffer.from(JSON.stringify([sort.name, listAt(url), ...values])).toString('base64url')
}

/** The position of a cursor; undefined without a cursor. Throws the 400 for one that is not of this list and sort. */
export function positionOf<By extends Sort>(sort: By, url: string, cursor?: string): Position<By> | undefined {
  if (cursor === undefined) return undefined
  const [name, list, ...values] = contentOf(cursor)
  const columns = Object.entries(sort.columns).map(
    ([column, type], index) => [column, types[type].inCursor.safeParse(values[index])] as const,
  )
  const isOfList = name === sort.name && values.length === columns.length && list === listAt(url)
  if (!isOfList || !columns.every(([, { success }]) => success)) throw invalid({ cursor: 'This cursor is not valid' })
  return Object.fromEntries(columns.map(([column, { data }]) => [column, data])) as Position<By>
}

/** Of a cursor that is not a JSON array: nothing. */
function contentOf(cursor: string): unknown[] {
  try {
    const content: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(content) ? content : []
  } catch {
    return []
  }
}
