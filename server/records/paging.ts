import { type AnyColumn, and, asc, desc, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { FastifyReply } from 'fastify'
import { PAGE_DEFAULT } from '#contract/limits.ts'
import { atMost } from '#server/db/prepared.ts'
import { cursorOf, LATEST, newest, type Position, partsOf, positionOf, type Sort, typeInSql } from './cursor.ts'

// Lists are paged by the last row seen, so that a page costs the same at any depth.

/** The columns of a table by which it is sorted. */
type ColumnsOf<By extends Sort> = Record<keyof By['columns'], AnyColumn | SQL>

const columnsIn = <By extends Sort>(sort: By, table: ColumnsOf<By>): (AnyColumn | SQL)[] =>
  Object.keys(sort.columns).map((column) => table[column as keyof By['columns']])

export const orderOf = <By extends Sort>(sort: By, table: ColumnsOf<By>): SQL[] =>
  columnsIn(sort, table).map(sort.direction === 'desc' ? desc : asc)

/** True for rows after a position. Without a position it is undefined, which filters nothing. */
export const isAfter = <By extends Sort>(
  sort: By,
  table: ColumnsOf<By>,
  position: Position<By> | undefined,
): SQL | undefined => position && isAfterValues(sort, table, position)

const isAfterValues = <By extends Sort>(
  sort: By,
  table: ColumnsOf<By>,
  values: Record<keyof By['columns'], unknown>,
) => {
  const typed = Object.keys(sort.columns).map((column) => {
    const value = values[column]
    return sql`${value instanceof Date ? value.toISOString() : value}::${sql.raw(typeInSql(sort, column))}`
  })
  const comparison = sql.raw(sort.direction === 'desc' ? '<' : '>')
  return sql`(${list(columnsIn(sort, table))}) ${comparison} (${list(typed)})`
}

const list = (parts: SQLWrapper[]) => sql.join(parts, sql`, `)

/** A position before every row, for prepared statements. */
const TOP: Position = { createdAt: LATEST, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

/** `isAfter` of the newest first, for a prepared statement. `positionValues` are its values. */
export const isAfterPlaceholder = (table: ColumnsOf<typeof newest>): SQL =>
  isAfterValues(newest, table, { createdAt: sql.placeholder('afterTime'), id: sql.placeholder('afterId') })

/** The ids of a page, for a prepared statement. Its values are `positionValues` and `rows`. */
export const newestIds = (from: PgTable, columns: Record<'createdAt' | 'id', AnyColumn>, where: SQL | undefined): SQL =>
  sql`select ${columns.id} from ${from} where ${and(where, isAfterPlaceholder(columns))}
    order by ${list(orderOf(newest, columns))} limit ${atMost('rows')}`

export const positionValues = (position: Position = TOP) => ({
  afterTime: position.createdAt.toISOString(),
  afterId: position.id,
})

/** The page that a store should return. It returns one extra row when there is a next page. */
export type PageRequest<By extends Sort = typeof newest> = { limit: number; after: Position<By> | undefined }

type ListRequest = { url: string; query: { limit?: number | undefined; cursor?: string | undefined } }

/** Throws the 400 for an invalid cursor. */
export const pageRequest = <By extends Sort>(sort: By, { url, query }: ListRequest): PageRequest<By> => ({
  limit: query.limit ?? PAGE_DEFAULT,
  after: positionOf(sort, url, query.cursor),
})

/** The last row of a page, if the extra row shows that there is a next page. */
export const lastBeforeNext = <Row>(rows: Row[], limit: number): Row | undefined =>
  rows.length > limit ? rows[limit - 1] : undefined

/**
 * Removes the extra row, and puts the URL of the next page and the total, if known, into the headers. `next`: for a list of
 * several statements, the position of the last row that the first one has found, if there is a next page. Later statements
 * may no longer find a row.
 */
export function sendPage<By extends Sort, Row extends Position<By>>(
  sort: By,
  { url, query }: ListRequest,
  reply: FastifyReply,
  page: { rows: Row[]; next?: Position<By> | undefined; total?: string | undefined },
): Row[] {
  const { rows, total } = page
  const limit = query.limit ?? PAGE_DEFAULT
  const next = 'next' in page ? page.next : lastBeforeNext(rows, limit)
  if (total !== undefined) reply.header('x-total-count', total)
  if (next !== undefined) {
    const { path, parameters } = partsOf(url)
    parameters.set('cursor', cursorOf(sort, url, next))
    reply.header('link', `<${path}?${parameters}>; rel="next"`)
  }
  return rows.slice(0, limit)
}
