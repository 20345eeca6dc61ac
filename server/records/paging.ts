import { type AnyColumn, and, desc, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_DEFAULT } from '#contract/limits.ts'
import { atMost } from '#server/db/prepared.ts'
import { invalid } from '#server/http/errors.ts'

// Lists are newest first and paged by the last row, so that a page costs the same at any depth.

/** The position of a row in a list. */
export type Position = { createdAt: Date; id: string }

/** The columns of a position. */
type PositionColumns = { createdAt: AnyColumn; id: AnyColumn }

const pad = (id: string) => id.replaceAll('-', '')

const cursorOf = ({ createdAt, id }: Position): string =>
  Buffer.from(`${createdAt.getTime().toString(16)}.${pad(id)}`).toString('base64url')

/** The position of a cursor; undefined without a cursor. Throws the 400 for an invalid one. */
export function positionOf(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const [, time, ...id] =
    /^([0-9a-f]{1,12})\.([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(
      Buffer.from(cursor, 'base64url').toString('latin1'),
    ) ?? []
  const createdAt = new Date(Number.parseInt(time ?? '', 16))
  // PostgreSQL does not read the longer years of `toISOString`. Nor does a list have them.
  if (!(createdAt <= TOP.createdAt)) throw invalid({ cursor: 'This cursor is not valid' })
  return { createdAt, id: id.join('-') }
}

export const newestFirst = (table: PositionColumns): SQL[] => [desc(table.createdAt), desc(table.id)]

/** True for rows after a position. Without a position it is undefined, which filters nothing. */
export const afterPosition = (table: PositionColumns, position: Position | undefined): SQL | undefined =>
  position &&
  sql`(${table.createdAt}, ${table.id}) < (${position.createdAt.toISOString()}::timestamptz, ${position.id}::uuid)`

/** A position before every row, for prepared statements. */
const TOP: Position = { createdAt: new Date('9999-12-31'), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

/** Like `afterPosition`, for a prepared statement. `positionValues` are its values. */
export const afterPlaceholder = (table: PositionColumns): SQL =>
  sql`(${table.createdAt}, ${table.id}) < (${sql.placeholder('afterTime')}::timestamptz, ${sql.placeholder('afterId')}::uuid)`

/** The ids of a page, for a prepared statement. Its values are `positionValues` and `rows`. */
export const newestIds = (from: PgTable, columns: PositionColumns, where: SQL | undefined): SQL =>
  sql`select ${columns.id} from ${from} where ${and(where, afterPlaceholder(columns))}
    order by ${sql.join(newestFirst(columns), sql`, `)} limit ${atMost('rows')}`

export const positionValues = (position: Position = TOP) => ({
  afterTime: position.createdAt.toISOString(),
  afterId: position.id,
})

/** The page that a store should return. */
export type PageRequest = { limit: number; after: Position | undefined }

/** Parses the query of a page. Stores return one extra row when there is a next page. */
export const pageRequest = (query: { limit?: number | undefined; cursor?: string | undefined }): PageRequest => ({
  limit: query.limit ?? PAGE_DEFAULT,
  after: positionOf(query.cursor),
})

/** A page of rows, with an extra row when there is a next page, and the total, if known. */
type Page<Row> = { rows: Row[]; limit: number; total?: string | undefined }

/** Removes the extra row, and puts the URL of the next page and the total into the headers. */
export const sendPage = <Row extends Position>(request: FastifyRequest, reply: FastifyReply, page: Page<Row>): Row[] =>
  sendPageBy(cursorOf, request, reply, page)

/** The same for a list in another order, which its cursors describe. */
export function sendPageBy<Row>(
  cursorOf: (row: Row) => string,
  request: FastifyRequest,
  reply: FastifyReply,
  { rows, limit, total }: Page<Row>,
): Row[] {
  if (total !== undefined) reply.header('x-total-count', total)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  if (last !== undefined && rows.length > limit) {
    const next = new URL(request.url, 'http://localhost')
    next.searchParams.set('cursor', cursorOf(last))
    reply.header('link', `<${next.pathname}${next.search}>; rel="next"`)
  }
  return page
}
