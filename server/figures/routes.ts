import { isNull, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { Figures, FiguresQuery, MyFigures, MyFiguresQuery, Quality } from '#contract/figures.ts'
import type { KindName } from '#contract/kinds.ts'
import { qualityKinds } from '#contract/quality-kinds.ts'
import { sendCsv } from '#server/audit-log/csv.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { records } from '#server/db/schema.ts'
import type { App } from '#server/http/app.ts'
import { head } from '#server/http/head.ts'
import { qualityConditions } from '#server/lists/quality.ts'
import { isOfKind, type RecordKind } from '#server/records/kind.ts'
import type { Services } from '#server/services.ts'
import { figuresFile, myFiguresFile } from './csv.ts'
import { getFigures, getMyFigures } from './figures.ts'

const tag = 'Figures'

const FiguresFile = {
  description: 'The file: comma-separated values, one figure a line',
  content: { 'text/csv': { schema: z.unknown().meta({ type: 'string' }) } },
}

const kindIn = (kinds: readonly RecordKind[], name: KindName) => kinds.find((kind) => kind.name === name) as RecordKind

/** The figures of the programme, for managers. Each number has the list of its records. */
export function figureRoutes(managed: App, { db, secret }: Services, kinds: readonly RecordKind[]) {
  managed.get(
    '/programme/quality',
    head({
      ...{ operationId: 'getQuality', summary: 'Count the records that lack something', tag },
      answers: { 200: Quality },
    }),
    async () => countQuality(db, kinds),
  )

  managed.get(
    '/programme/figures',
    head({
      ...{ operationId: 'getFigures', summary: 'Get the figures of the programme', tag },
      query: FiguresQuery,
      answers: { 200: Figures },
    }),
    async (request) => getFigures({ db, secret }, kindIn(kinds, request.query.kind), callerOf(request), request.query),
  )

  managed.get(
    '/programme/figures.csv',
    head({
      ...{ operationId: 'exportFigures', summary: 'Export the figures of the programme as a file', tag },
      query: FiguresQuery,
      answers: { 200: FiguresFile },
    }),
    async (request, reply) => {
      const { query } = request
      const figures = await getFigures({ db, secret }, kindIn(kinds, query.kind), callerOf(request), query)
      return sendCsv(reply, `figures-${query.kind}.csv`, figuresFile(figures))
    },
  )
}

/** Every fellow's own figures. */
export function myFigureRoutes(app: App, { db, secret }: Services, kinds: readonly RecordKind[]) {
  app.get(
    '/figures/mine',
    head({
      ...{ operationId: 'getMyFigures', summary: "Get the figures of the caller's own records", tag },
      query: MyFiguresQuery,
      answers: { 200: MyFigures },
    }),
    async (request) => getMyFigures({ db, secret }, kindIn(kinds, request.query.kind), callerOf(request)),
  )

  app.get(
    '/figures/mine.csv',
    head({
      ...{ operationId: 'exportMyFigures', summary: "Export the figures of the caller's own records as a file", tag },
      query: MyFiguresQuery,
      answers: { 200: FiguresFile },
    }),
    async (request, reply) => {
      const { kind } = request.query
      const figures = await getMyFigures({ db, secret }, kindIn(kinds, kind), callerOf(request))
      return sendCsv(reply, `my-figures-${kind}.csv`, myFiguresFile(figures))
    },
  )
}

/** By the conditions of the lists themselves, so that both agree. */
async function countQuality(db: Database, kinds: readonly RecordKind[]): Promise<Quality> {
  const count = (kind: RecordKind, condition: SQL) =>
    sql`(select count(*)::int from ${records} where ${isOfKind(records.kind, kind)} and ${condition})`
  const counted = await Promise.all(
    kinds.map(async (kind) => {
      const conditions = await Promise.all(qualityKinds.map((name) => qualityConditions[name](kind, db)))
      const counts = {
        ...Object.fromEntries(qualityKinds.map((name, at) => [name, count(kind, conditions[at] as SQL)])),
        unassigned: count(kind, isNull(records.responsibleId)),
      }
      const columns = Object.entries(counts).map(([name, value]) => sql`${value} as ${sql.identifier(name)}`)
      const [row] = await rowsOf<Record<keyof Quality, number>>(db, sql`select ${sql.join(columns, sql`, `)}`)
      return [kind.name, row] as const
    }),
  )
  const of = (name: keyof Quality) =>
    Object.fromEntries(counted.map(([kind, row]) => [kind, row?.[name] ?? 0])) as Quality[keyof Quality]
  return {
    ...{ unmatched: of('unmatched'), unnoted: of('unnoted'), duplicate: of('duplicate'), overdue: of('overdue') },
    unassigned: of('unassigned'),
  }
}
