import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { Figures, FiguresQuery, MyFigures, MyFiguresQuery, Quality } from '#contract/figures.ts'
import type { KindName } from '#contract/kinds.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import { head } from '#server/http/head.ts'
import type { RecordKind } from '#server/records/kind.ts'
import type { App, Services } from '#server/services.ts'
import { figuresFile, myFiguresFile } from './csv.ts'
import { getFigures, getMyFigures } from './figures.ts'
import { countQuality } from './quality.ts'

const tag = 'Figures'

const FiguresFile = {
  description: 'The file: comma-separated values, one figure a line',
  content: { 'text/csv': { schema: z.unknown().meta({ type: 'string' }) } },
}

const sendFile = (reply: FastifyReply, name: string, text: string) =>
  reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${name}"`).send(text)

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
      return sendFile(reply, `figures-${query.kind}.csv`, figuresFile(figures))
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
      return sendFile(reply, `my-figures-${kind}.csv`, myFiguresFile(figures))
    },
  )
}
