import { z } from 'zod'
import { RecordParams } from '#contract/record.ts'
import { NO_TAG, RecordTag, RecordTagsInput, Tag, TagInput, TagParams } from '#contract/tags.ts'
import { type Account, callerOf } from '#server/auth/sessions/session.ts'
import { AppError, notFound } from '#server/http/errors.ts'
import { ANY_NUMBER, head } from '#server/http/head.ts'
import { idempotencyKeyOf, withIdempotency } from '#server/http/idempotency.ts'
import type { FeatureRoutes } from '#server/records/feature.ts'
import { getKindOf, RECORD_REFUSALS } from '#server/records/store.ts'
import { mayChange, refusal, rights } from '#server/rights.ts'
import { putTags } from './record-tags.ts'
import { createTag, deleteTag, getTag, listTags, NAME_TAKEN, ownerOf, renameTag, type TagRow } from './store.ts'

/** Tags, which everyone shares, and those of a record. */
export const tagRoutes: FeatureRoutes = (app, { db }, kinds) => {
  const tag = 'Tags'
  const nameTaken = new AppError(409, NAME_TAKEN)
  const editing = { tag, params: TagParams, refusals: [notFound(NO_TAG), refusal(rights.changeTags)] }

  app.get(
    '/tags',
    head({
      ...{ operationId: 'listTags', summary: 'List all tags, by name', tag },
      answers: { 200: z.array(Tag) },
    }),
    async (request) => {
      const caller = callerOf(request)
      return (await listTags(db, caller)).map((row) => presentTag(caller, row))
    },
  )

  app.post(
    '/tags',
    head({
      ...{ operationId: 'createTag', summary: 'Add a tag', tag },
      audit: { action: 'create', kind: 'tag' },
      body: TagInput,
      answers: { 201: Tag },
      // It may be deleted before a repeat of the request.
      refusals: [nameTaken, notFound(NO_TAG)],
      isIdempotent: true,
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const key = idempotencyKeyOf(request, caller.id)
      const created = await withIdempotency(
        db,
        key,
        () => createTag(db, caller, request.body.name, key),
        (id) => getTag(db, caller, id),
      )
      return reply.code(201).send(presentTag(caller, created))
    },
  )

  app.patch(
    '/tags/:id',
    head({
      ...{ operationId: 'renameTag', summary: 'Rename a tag', ...editing },
      audit: { action: 'update', kind: 'tag' },
      body: TagInput,
      answers: { 200: Tag },
      refusals: [...editing.refusals, nameTaken],
    }),
    async (request) => {
      const caller = callerOf(request)
      return presentTag(caller, await renameTag(db, caller, request.params.id, request.body.name))
    },
  )

  app.delete(
    '/tags/:id',
    head({
      ...{ operationId: 'deleteTag', summary: 'Delete a tag, and take it away from all records', ...editing },
      audit: { action: 'delete', kind: 'tag' },
      rows: ANY_NUMBER,
      answers: { 204: z.null().describe('Deleted') },
    }),
    async (request, reply) => {
      await deleteTag(db, callerOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )

  app.put(
    '/records/:id/tags',
    head({
      ...{ operationId: 'putTags', summary: 'Give a record these tags, and take all others away', tag },
      audit: { action: 'change-tags' },
      params: RecordParams,
      body: RecordTagsInput,
      answers: { 200: z.array(RecordTag) },
      refusals: RECORD_REFUSALS,
    }),
    async (request) => {
      const caller = callerOf(request)
      const { id } = request.params
      const kind = await getKindOf(db, kinds, id)
      let changed: RecordTag[] | undefined
      // A record that went meanwhile is refused by the next look for it.
      while (changed === undefined) {
        changed = await putTags(db, kind, id, request.body.tags, caller)
        if (changed === undefined) await getKindOf(db, kinds, id)
      }
      return changed.map(presentRecordTag)
    },
  )
}

const presentTag = (caller: Account, tag: TagRow): Tag => ({
  id: tag.id,
  name: tag.name,
  can: { edit: mayChange(caller, rights.changeTags, ownerOf(tag)) },
})

const presentRecordTag = ({ id, name }: RecordTag): RecordTag => ({ id, name })
