import { Readable } from 'node:stream'
import { z } from 'zod'
import {
  InformationLetter,
  InformedAnswer,
  InformedInput,
  UninformedCount,
  UninformedFounder,
  UninformedQuery,
} from '#contract/informing.ts'
import { PERSON } from '#contract/kinds.ts'
import { NAV_COUNT_MAX } from '#contract/limits.ts'
import { RecordParams } from '#contract/record.ts'
import { csvLine } from '#server/audit-log/csv.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import type { App } from '#server/http/app.ts'
import { compressStream } from '#server/http/compress.ts'
import { notFound } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import type { Services } from '#server/services.ts'
import { emailOf, heldOn, letterFor, sourcesOf } from './letter.ts'
import { countUninformed, due, eachUninformed, getPerson, listUninformed, mark, type PersonRow } from './store.ts'

const tag = 'Programme'
const PATH = '/programme/privacy/uninformed'
const NO_FOUNDER = 'There is no founder with this id'

const UninformedFile = {
  description: 'The file: comma-separated values, the first due first',
  content: { 'text/csv': { schema: z.unknown().meta({ type: 'string' }) } },
}

/** The founders who were not informed of what is held on them, and the letter to them. */
export function informingRoutes(app: App, { db, settings }: Services) {
  app.get(
    PATH,
    head({
      ...{ operationId: 'listUninformedFounders', summary: 'List founders to inform, the first due first', tag },
      query: UninformedQuery,
      answers: { 200: z.array(UninformedFounder) },
      isPaged: true,
    }),
    async (request, reply) =>
      sendPage(due, request, reply, { rows: await listUninformed(db, pageRequest(due, request)) }).map(present),
  )

  app.get(
    `${PATH}/count`,
    head({
      ...{ operationId: 'countUninformedFounders', summary: 'Count founders to inform, and those that are late', tag },
      answers: { 200: UninformedCount },
    }),
    () => countUninformed(db, NAV_COUNT_MAX),
  )

  app.get(
    `${PATH}/:id/letter`,
    head({
      ...{ operationId: 'getInformationLetter', summary: 'Get the letter that informs a founder', tag },
      params: RecordParams,
      answers: { 200: InformationLetter },
      refusals: [notFound(NO_FOUNDER)],
    }),
    async (request) => {
      const person = await getPerson(db, request.params.id)
      if (person === undefined) throw notFound(NO_FOUNDER)
      return letterFor(person, settings)
    },
  )

  app.put(
    '/programme/privacy/informed',
    head({
      ...{ operationId: 'markInformed', summary: 'Mark founders as informed, or take the mark back', tag },
      audit: { action: 'inform', kind: PERSON.name },
      body: InformedInput,
      rows: ({ body }) => body.ids.length,
      answers: { 200: InformedAnswer },
    }),
    async (request) => ({
      ids: await mark(db, callerOf(request), request.body.ids, request.body.isInformed),
    }),
  )

  app.get(
    `${PATH}/export`,
    {
      // A HEAD request would write the whole file and send nothing.
      exposeHeadRoute: false,
      ...head({
        ...{ operationId: 'exportUninformedFounders', summary: 'Export the founders to inform as a file', tag },
        ...{ isExport: true, confirms: true, audit: { action: 'export', kind: PERSON.name } },
        answers: { 200: UninformedFile },
      }),
    },
    async (request, reply) => {
      const detail = { format: 'csv', isInformed: false }
      await recordAuditEntry(db, { action: 'export', by: callerOf(request), kind: PERSON.name, detail })
      async function* file() {
        yield `\uFEFF${csvLine(Object.keys(columns))}\r\n`
        for await (const rows of eachUninformed(db)) {
          yield rows.map((row) => `${csvLine(Object.values(columns).map((column) => column(row)))}\r\n`).join('')
        }
      }
      const name = `founders-to-inform-${new Date().toISOString().slice(0, 10)}.csv`
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(compressStream(request, reply, Readable.from(file(), { objectMode: false })))
    },
  )
}

const present = (row: PersonRow): UninformedFounder => ({
  ...{ id: row.id, name: row.name, email: emailOf(row), linkedIn: row.linkedIn ?? '' },
  ...{ addedAt: row.createdAt.toISOString(), dueAt: row.dueAt.toISOString() },
})

const columns: Record<string, (row: PersonRow) => string | null> = {
  name: ({ name }) => name,
  email: emailOf,
  linkedIn: ({ linkedIn }) => linkedIn,
  addedAt: ({ createdAt }) => createdAt.toISOString(),
  dueAt: ({ dueAt }) => dueAt.toISOString(),
  held: (row) => heldOn(row).join('; '),
  sources: (row) => sourcesOf(row).join('; '),
}
