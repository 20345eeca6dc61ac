import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AuditAction } from '#contract/audit-actions.ts'
import {
  IMPORT_UPLOAD_SECONDS,
  Import,
  ImportAdd,
  ImportLookUps,
  ImportPatch,
  ImportRow,
  ImportRowsQuery,
  ImportsQuery,
  ImportUploadQuery,
} from '#contract/import.ts'
import { importKindNamed } from '#contract/import-kinds.ts'
import { onlyActor } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import type { App } from '#server/http/app.ts'
import { allowBodyTime } from '#server/http/body-time.ts'
import { compressStream } from '#server/http/compress.ts'
import { AppError, forbidden, notFound } from '#server/http/errors.ts'
import { ANY_NUMBER, head } from '#server/http/head.ts'
import { idempotencyKeyOf, withIdempotency } from '#server/http/idempotency.ts'
import { getLookUps } from '#server/import/jobs/look-ups.ts'
import { cancelImport } from '#server/import/jobs/stop.ts'
import { fileOrder, getImport, listImports, listRows } from '#server/import/store/store.ts'
import { createTargets, targetNamed } from '#server/import/targets/targets.ts'
import { newest } from '#server/records/cursor.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import { authorize, refusal, rights } from '#server/rights.ts'
import type { Services } from '#server/services.ts'
import { changeImport, deleteImport, startImport, startLookUps, startRevert, uploadImport } from './actions.ts'
import { addRows } from './add-rows.ts'
import { authorizeImport, NOT_YOUR_IMPORT } from './policy.ts'
import { presentImport, presentRows } from './present.ts'
import { announced, countUpload, refuseTooMuch, uploadRefusals } from './quotas.ts'
import { acceptFiles } from './receive.ts'
import { refusedFile, refusedTypes } from './rejected-rows-file.ts'

const NO_IMPORT = 'There is no import with this id'
const NOT_JSON_LINES = 'This file was not JSON Lines'
const params = z.object({ id: z.uuid({ error: NO_IMPORT }) })
/** The bytes of the file, which the body of the route reads. */
const ImportUpload = z.unknown().meta({ type: 'string', format: 'binary' })
/** Of calls on one import. */
const refusals = [notFound(NO_IMPORT), forbidden(NOT_YOUR_IMPORT)]
/** Of calls that change what is imported. */
const changing = [...refusals, refusal(rights.importNotes)]
const wrongState = new AppError(409, 'The state of this import does not allow this')
const tag = 'Imports'

export function importRoutes(app: App, services: Services, kinds: EnrichedKind[]) {
  const { db, enrichment, importJobs: jobs, fileReader: reader, temporaryFiles: temporary, receiveUpload } = services
  const targets = createTargets(kinds)
  const context = { db, jobs, targets, reader, temporary }
  const audit = (action: AuditAction) => ({ audit: { action, kind: 'import' } })
  /** What starts a step of an import, once. */
  const starting = { params, refusals: [...changing, wrongState], isIdempotent: true }

  async function getOwn(caller: ReturnType<typeof callerOf>, id: string) {
    const record = await getImport(db, id)
    authorizeImport(caller, record)
    return record
  }

  app.register(async (scope: App) => {
    acceptFiles(scope)
    scope.post(
      '/imports',
      head({
        ...{ operationId: 'createImport', summary: 'Upload a file of records, and preview its rows', tag },
        ...audit('upload'),
        query: ImportUploadQuery,
        body: ImportUpload,
        consumes: ['application/octet-stream'],
        answers: { 201: Import },
        refusals: uploadRefusals(),
        isIdempotent: true,
      }),
      async (request, reply) => {
        const caller = callerOf(request)
        await refuseTooMuch(db, caller.id, announced(request.headers['content-length']))
        allowBodyTime(app, request, IMPORT_UPLOAD_SECONDS * 1_000)
        const id = await temporary.with(async (path) => {
          const { bytes, hash } = await receiveUpload(request, reply, caller.id, path)
          await countUpload(db, caller.id, bytes)
          const { name } = request.query
          const key = idempotencyKeyOf(request, caller.id, [name, hash])
          const upload = () => uploadImport(context, caller, { name, path, bytes }, key)
          return withIdempotency(db, key, upload, async (madeId) => madeId)
        })
        return reply.code(201).send(presentImport(callerOf(request), await getImport(db, id)))
      },
    )
  })

  app.get(
    '/imports',
    head({
      ...{ operationId: 'listImports', summary: 'List imports, newest first', tag },
      query: ImportsQuery,
      answers: { 200: z.array(Import) },
      refusals: [refusal(rights.allImports)],
      isPaged: true,
    }),
    async (request, reply) => {
      const isAll = request.query.all === 'true'
      if (isAll) authorize(callerOf(request), rights.allImports)
      const rows = await listImports(db, isAll ? 'all' : callerOf(request).id, pageRequest(newest, request))
      return sendPage(newest, request, reply, { rows }).map((row) => presentImport(callerOf(request), row))
    },
  )

  app.get(
    '/imports/:id',
    head({ operationId: 'getImport', summary: 'Get an import', tag, params, answers: { 200: Import }, refusals }),
    async (request) => presentImport(callerOf(request), await getOwn(callerOf(request), request.params.id)),
  )

  app.patch(
    '/imports/:id',
    head({
      ...{ operationId: 'updateImport', summary: 'Change how a file is read, before it is imported', tag },
      ...audit('import'),
      params,
      body: ImportPatch,
      answers: { 200: Import },
      refusals: [...changing, wrongState],
    }),
    async (request) => {
      const caller = callerOf(request)
      const record = await getOwn(caller, request.params.id)
      await changeImport(context, caller, record, request.body)
      return presentImport(caller, await getImport(db, record.id))
    },
  )

  app.get(
    '/imports/:id/rows',
    head({
      ...{ operationId: 'listImportRows', summary: 'List the rows of an import, in the order of the file', tag },
      params,
      query: ImportRowsQuery,
      answers: { 200: z.array(ImportRow) },
      refusals,
      isPaged: true,
    }),
    async (request, reply) => {
      const record = await getOwn(callerOf(request), request.params.id)
      const { outcome, marked } = request.query
      const page = pageRequest(fileOrder, request)
      const rows = await listRows(db, record.id, { outcome, isOnlyMarked: marked === 'true' }, page)
      const shown = sendPage(fileOrder, request, reply, { rows })
      return presentRows(db, targetNamed(targets, record.kind), record, shown)
    },
  )

  for (const extension of ['csv', 'jsonl'] as const) {
    const RefusedFile = {
      description: 'The refused rows as they were, and the reason. JSON Lines only of an import of JSON Lines',
      content: { [refusedTypes[extension]]: { schema: z.unknown().meta({ type: 'string' }) } },
    }
    app.get(
      `/imports/:id/refused.${extension}`,
      {
        exposeHeadRoute: false,
        ...head({
          operationId: extension === 'csv' ? 'exportRefusedRows' : 'exportRefusedLines',
          ...{ summary: 'Export the refused rows of an import, to correct and import them again', tag },
          ...{ audit: { action: 'export', kind: 'import' } },
          params,
          answers: { 200: RefusedFile },
          refusals: [...refusals, notFound(NOT_JSON_LINES)],
        }),
      },
      async (request, reply) => {
        const record = await getOwn(callerOf(request), request.params.id)
        if (extension === 'jsonl' && record.dialect.format !== 'jsonl') throw notFound(NOT_JSON_LINES)
        // The name of a JSON Lines file determines whether it has founders, companies or notes.
        const name = extension === 'jsonl' ? `refused-${importKindNamed(record.kind).path}` : 'refused'
        const { type, lines } = refusedFile(db, record, extension)
        const entry = { action: 'export', kind: 'import', objectId: record.id } as const
        const filter = { outcome: 'refused', fileName: record.fileName }
        await recordAuditEntry(db, { ...entry, by: callerOf(request), detail: filter })
        return reply
          .type(type)
          .header('content-disposition', `attachment; filename="${name}.${extension}"`)
          .send(compressStream(request, reply, Readable.from(lines, { objectMode: false })))
      },
    )
  }

  app.get(
    '/imports/:id/look-ups',
    head({
      ...{ operationId: 'getImportLookUps', summary: 'Get the lookups of the records of an import', tag },
      params,
      answers: { 200: ImportLookUps },
      refusals,
    }),
    async (request) => getLookUps(db, enrichment, await getOwn(callerOf(request), request.params.id)),
  )

  const startAct = async (request: FastifyRequest, id: string, start: typeof startImport) => {
    const caller = callerOf(request)
    const record = await getOwn(caller, id)
    const key = idempotencyKeyOf(request, caller.id)
    const startOnce = () => start(context, caller, id, key)
    await withIdempotency(db, key, startOnce, async () => {})
    return record
  }

  for (const [act, start, action, summary] of [
    ['run', startImport, 'import', 'Import the rows'],
    ['revert', startRevert, 'revert-import', 'Take back what an import has written'],
  ] as const) {
    app.post(
      `/imports/:id/${act}`,
      head({ operationId: `${act}Import`, summary, tag, ...audit(action), ...starting, answers: { 202: Import } }),
      async (request, reply) => {
        const { id } = await startAct(request, request.params.id, start)
        return reply.code(202).send(presentImport(callerOf(request), await getImport(db, id)))
      },
    )
  }

  app.post(
    '/imports/:id/add',
    head({
      ...{ operationId: 'addImportRows', summary: 'Add rows that may be the same as a record', tag },
      ...audit('add-rows'),
      body: ImportAdd,
      rows: ({ body }) => (body.rows === 'all' ? ANY_NUMBER() : body.rows.length),
      ...starting,
      answers: { 202: Import },
    }),
    async (request, reply) => {
      const add: typeof startImport = (...act) => addRows(act[0], act[1], act[2], request.body, act[3])
      const { id } = await startAct(request, request.params.id, add)
      return reply.code(202).send(presentImport(callerOf(request), await getImport(db, id)))
    },
  )

  app.post(
    '/imports/:id/cancel',
    head({
      ...{ operationId: 'cancelImport', summary: 'Stop an import that is read or runs', tag },
      ...audit('cancel-import'),
      ...starting,
      answers: { 202: Import },
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const { id } = await getOwn(caller, request.params.id)
      const key = idempotencyKeyOf(request, caller.id)
      await withIdempotency(
        db,
        key,
        () => cancelImport(db, id, onlyActor(caller), key),
        async () => {},
      )
      return reply.code(202).send(presentImport(caller, await getImport(db, id)))
    },
  )

  app.delete(
    '/imports/:id',
    head({
      ...{ operationId: 'deleteImport', summary: 'Delete an import. Its records stay', tag },
      ...audit('delete-import'),
      params,
      answers: { 204: z.null().describe('Deleted') },
      refusals: [...refusals, wrongState],
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const { id } = await getOwn(caller, request.params.id)
      await deleteImport(context, caller, id)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/imports/:id/look-ups',
    head({
      ...{ operationId: 'startImportLookUps', summary: 'Look up the public data of the records of an import', tag },
      ...audit('look-up'),
      ...starting,
      answers: { 202: ImportLookUps },
    }),
    async (request, reply) => {
      const record = await startAct(request, request.params.id, startLookUps)
      return reply.code(202).send(await getLookUps(db, enrichment, record))
    },
  )
}
