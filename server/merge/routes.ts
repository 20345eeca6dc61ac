import { z } from 'zod'
import { Failure } from '#contract/errors.ts'
import { IdempotencyHeaders } from '#contract/idempotency.ts'
import { MergeInput, mergeConflict, merged, mergePreview, UndoConflict, unmerged } from '#contract/merge.ts'
import { withActor } from '#server/audit-log/actor.ts'
import { type Caller, callerOf } from '#server/auth/session.ts'
import type { Database } from '#server/db/database.ts'
import { changedMeanwhile, invalid } from '#server/http/errors.ts'
import { claimId, idempotencyKeyOf, withIdempotency } from '#server/http/idempotency.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { anyRecord } from '#server/records/present.ts'
import { getRecord, getRecordOfAny } from '#server/records/store.ts'
import type { App, Services } from '#server/services.ts'
import { authorizeUndo, canChoose } from './policy.ts'
import { previewMerge } from './preview.ts'
import { getMerge, listFirstFinders, type Merge, mergeRecords, rootOf, undoMerge } from './store.ts'
import { refuseUnknown } from './values.ts'

/** Merging two records of one kind, and undoing it. */
export function mergeRoutes(app: App, { db }: Services, kinds: readonly RecordKind[]) {
  const Record = anyRecord(kinds)
  const kindOf = ({ kind }: Pick<Merge, 'kind'>) => kinds.find(({ name }) => name === kind) as RecordKind

  const presentMerge = async (caller: Caller, merge: Merge) => {
    const { kind, record } = await getSurvivor(caller, merge)
    return { mergeId: merge.id, record: kind.present(caller, record) }
  }
  /** The record that has the survivor's data now: a later merge may have moved it on. */
  const getSurvivor = async (caller: Caller, { survivorId }: Merge) =>
    getRecordOfAny(db, kinds, caller, await rootOf(db, survivorId))

  const getBoth = async (tx: Database, caller: Caller, { survivorId, duplicateId, choices }: MergeInput) => {
    const { kind, record: survivor } = await getRecordOfAny(tx, kinds, caller, survivorId)
    const { kind: otherKind, record: duplicate } = await getRecordOfAny(tx, kinds, caller, duplicateId)
    if (otherKind !== kind) throw invalid({ duplicateId: 'A founder and a company cannot be merged' })
    refuseUnknown(kind, choices)
    return { kind, survivor, duplicate }
  }
  const changedSince = (caller: Caller, { kind, survivor, duplicate }: Awaited<ReturnType<typeof getBoth>>) =>
    changedMeanwhile([survivor, duplicate].map((row) => kind.present(caller, row)))

  app.post(
    '/records/merge/preview',
    {
      config: { audit: { action: 'preview-merge' } },
      schema: {
        body: MergeInput,
        response: { 200: mergePreview(Record), 409: mergeConflict(Record), '4xx': Failure },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      const { versions, choices } = request.body
      const both = await getBoth(db, caller, request.body)
      const { kind, survivor, duplicate } = both
      if ([survivor, duplicate].some(({ id, version }) => version !== versions[id])) throw changedSince(caller, both)
      const input = { choices, canChoose: canChoose(caller, survivor, duplicate) }
      const { row, ...preview } = previewMerge(kind, { survivor, duplicate }, input)
      return { ...preview, record: kind.present(caller, row) }
    },
  )

  app.post(
    '/records/merge',
    {
      config: { audit: { action: 'merge' } },
      schema: {
        headers: IdempotencyHeaders,
        body: MergeInput,
        response: { 200: merged(Record), 409: mergeConflict(Record), '4xx': Failure },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      const key = idempotencyKeyOf(request, caller.id)
      const merge = await withIdempotency(
        db,
        key,
        () =>
          withActor(db, caller, async (tx) => {
            const id = await claimId(tx, key)
            const { kind, survivor, duplicate } = await getBoth(tx, caller, request.body)
            const input = { ...request.body, canChoose: canChoose(caller, survivor, duplicate) }
            const merge = await mergeRecords(tx, kind, caller, id, input)
            if (merge !== undefined) return merge
            const current = await getBoth(tx, caller, request.body)
            throw changedSince(caller, current)
          }),
        (id) => getMerge(db, id),
      )
      return presentMerge(caller, merge)
    },
  )

  app.post(
    '/merges/:id/undo',
    {
      config: { audit: { action: 'undo-merge' } },
      schema: {
        params: z.object({ id: z.uuid({ error: 'There is no merge with this id' }) }),
        response: { 200: unmerged(Record), 409: UndoConflict, '4xx': Failure },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      const merge = await getMerge(db, request.params.id)
      const kind = kindOf(merge)
      const both = [merge.survivorId, merge.duplicateId]
      authorizeUndo(caller, { ...merge, firstFinders: await listFirstFinders(db, merge) })
      const keptOnSurvivor = await undoMerge(db, kind, caller, merge)
      const rows = await Promise.all(both.map((id) => getRecord(db, kind, caller, id)))
      return { records: rows.map((row) => kind.present(caller, row)) as [object, object], keptOnSurvivor }
    },
  )
}
