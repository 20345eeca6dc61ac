import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Failure } from '#contract/errors.ts'
import { IdempotencyHeaders } from '#contract/idempotency.ts'
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
import { kindNamed } from '#contract/kinds.ts'
import { onlyActor } from '#server/audit-log/actor.ts'
import { callerOf } from '#server/auth/session.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { allowBodyTime } from '#server/http/body-time.ts'
import { compressStream } from '#server/http/compress.ts'
import { notFound } from '#server/http/errors.ts'
import { idempotencyKeyOf, withIdempotency } from '#server/http/idempotency.ts'
import { newest } from '#server/records/cursor.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import type { App, Services } from '#server/services.ts'
import { changeImport, deleteImport, startImport, startLookUps, startRevert, uploadImport } from './actions.ts'
import { addRows } from './add-rows.ts'
import { getLookUps } from './look-ups.ts'
import { authorizeAllImports, authorizeImport } from './policy.ts'
import { presentImport, rowPresenter } from './present.ts'
import { announced, countUpload, refuseTooMuch } from './quotas.ts'
import { refusedFile, refusedTypes } from './refused.ts'
import { cancelImport } from './stop.ts'
import { fileOrder, getImport, type ImportRecord, listImports, listRows } from './store.ts'
import { acceptFiles } from './upload.ts'

const params = z.object({ id: z.uuid({ error: 'There is no import with this id' }) })

export function importRoutes(app: App, services: Services, kinds: EnrichedKind[]) {
  const { db, enrichment, importJobs: jobs, fileReader: reader, temporaryFiles: temporary, receiveUpload } = services
  const context = { db, jobs, kinds, reader, temporary }
  const audit = (action: string) => ({ audit: { action, kind: 'import' } })
  const failures = { '4xx': Failure }
  const kindOf = ({ kind }: ImportRecord) => kinds.find(({ name }) => name === kind) as EnrichedKind

  async function getOwn(caller: ReturnType<typeof callerOf>, id: string) {
    const record = await getImport(db, id)
    authorizeImport(caller, record)
    return record
  }

  app.register(async (scope: App) => {
    acceptFiles(scope)
    scope.post(
      '/imports',
      {
        config: audit('upload'),
        schema: {
          headers: IdempotencyHeaders,
          querystring: ImportUploadQuery,
          response: { 201: Import, ...failures },
        },
      },
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
    { schema: { querystring: ImportsQuery, response: { 200: z.array(Import), ...failures } } },
    async (request, reply) => {
      const isAll = request.query.all === 'true'
      if (isAll) authorizeAllImports(callerOf(request))
      const rows = await listImports(db, isAll ? 'all' : callerOf(request).id, pageRequest(newest, request))
      return sendPage(newest, request, reply, { rows }).map((row) => presentImport(callerOf(request), row))
    },
  )

  app.get('/imports/:id', { schema: { params, response: { 200: Import, ...failures } } }, async (request) =>
    presentImport(callerOf(request), await getOwn(callerOf(request), request.params.id)),
  )

  app.patch(
    '/imports/:id',
    { config: audit('import'), schema: { params, body: ImportPatch, response: { 200: Import, ...failures } } },
    async (request) => {
      const caller = callerOf(request)
      const record = await getOwn(caller, request.params.id)
      await changeImport(context, caller, record, request.body)
      return presentImport(caller, await getImport(db, record.id))
    },
  )

  app.get(
    '/imports/:id/rows',
    { schema: { params, querystring: ImportRowsQuery, response: { 200: z.array(ImportRow), ...failures } } },
    async (request, reply) => {
      const record = await getOwn(callerOf(request), request.params.id)
      const { outcome, marked } = request.query
      const page = pageRequest(fileOrder, request)
      const rows = await listRows(db, record.id, { outcome, isMarked: marked === 'true' }, page)
      return sendPage(fileOrder, request, reply, { rows }).map(rowPresenter(kindOf(record), record))
    },
  )

  for (const extension of ['csv', 'jsonl'] as const) {
    const RefusedFile = {
      description: 'The refused rows as they were, and the reason. JSON Lines only of an import of JSON Lines',
      content: { [refusedTypes[extension]]: { schema: z.unknown() } },
    }
    app.get(
      `/imports/:id/refused.${extension}`,
      { exposeHeadRoute: false, schema: { params, response: { 200: RefusedFile, ...failures } } },
      async (request, reply) => {
        const record = await getOwn(callerOf(request), request.params.id)
        if (extension === 'jsonl' && record.dialect.format !== 'jsonl') throw notFound('This file was not JSON Lines')
        // The name of a JSON Lines file determines whether it has founders or companies.
        const name = extension === 'jsonl' ? `refused-${kindNamed(record.kind).path}` : 'refused'
        const { type, lines } = refusedFile(db, record, extension)
        return reply
          .type(type)
          .header('content-disposition', `attachment; filename="${name}.${extension}"`)
          .send(compressStream(request, reply, Readable.from(lines, { objectMode: false })))
      },
    )
  }

  app.get(
    '/imports/:id/look-ups',
    { schema: { params, response: { 200: ImportLookUps, ...failures } } },
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

  for (const [act, start, action] of [
    ['run', startImport, 'import'],
    ['revert', startRevert, 'revert-import'],
  ] as const) {
    app.post(
      `/imports/:id/${act}`,
      {
        config: audit(action),
        schema: { params, headers: IdempotencyHeaders, response: { 202: Import, ...failures } },
      },
      async (request, reply) => {
        const { id } = await startAct(request, request.params.id, start)
        return reply.code(202).send(presentImport(callerOf(request), await getImport(db, id)))
      },
    )
  }

  app.post(
    '/imports/:id/add',
    {
      config: audit('add-rows'),
      schema: { params, headers: IdempotencyHeaders, body: ImportAdd, response: { 202: Import, ...failures } },
    },
    async (request, reply) => {
      const add: typeof startImport = (...act) => addRows(act[0], act[1], act[2], request.body, act[3])
      const { id } = await startAct(request, request.params.id, add)
      return reply.code(202).send(presentImport(callerOf(request), await getImport(db, id)))
    },
  )

  app.post(
    '/imports/:id/cancel',
    {
      config: audit('cancel-import'),
      schema: { params, headers: IdempotencyHeaders, response: { 202: Import, ...failures } },
    },
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
    {
      config: audit('delete-import'),
      schema: { params, response: { 204: z.null().describe('Deleted'), ...failures } },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { id } = await getOwn(caller, request.params.id)
      await deleteImport(context, caller, id)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/imports/:id/look-ups',
    {
      config: audit('look-up'),
      schema: { params, headers: IdempotencyHeaders, response: { 202: ImportLookUps, ...failures } },
    },
    async (request, reply) => {
      const record = await startAct(request, request.params.id, startLookUps)
      return reply.code(202).send(await getLookUps(db, enrichment, record))
    },
  )
}
