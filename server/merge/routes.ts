import { z } from 'zod'
import {
  ListedMerge,
  MergeInput,
  mergeConflict,
  merged,
  mergePreview,
  UndoConflict,
  unmerged,
} from '#contract/merge.ts'
import { RecordParams } from '#contract/record.ts'
import { withActor } from '#server/audit-log/actor.ts'
import { type Caller, callerOf } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import type { App } from '#server/http/app.ts'
import { AppError, changedMeanwhile, doNotKeep, forbidden, invalid, notFound } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import { claimId, idempotencyKeyOf, withIdempotency } from '#server/http/idempotency.ts'
import { anyRecord, type PresentedKind } from '#server/lists/present.ts'
import { getRecord, getRecordOfAny } from '#server/lists/store.ts'
import { listOpenMerges, rootOf } from '#server/records/merged.ts'
import { RECORD_REFUSALS } from '#server/records/store.ts'
import { refusal, rights } from '#server/rights.ts'
import type { Services } from '#server/services.ts'
import { authorizeUndo, canChoose, canUndo, NOT_YOURS_TO_CHOOSE, UNDO_NEWER_FIRST } from './policy.ts'
import { previewMerge } from './preview.ts'
import { getMerge, hasValues, listFirstFinders, type Merge, mergeRecords, undoMerge } from './store.ts'
import { refuseUnknown } from './values.ts'

const NO_MERGE = 'There is no merge with this id'

/** Merging two records of one kind, and undoing it. */
export function mergeRoutes(app: App, { db }: Services, kinds: readonly PresentedKind[]) {
  const Record = anyRecord(kinds)
  const kindOf = ({ kind }: Pick<Merge, 'kind'>) => kinds.find(({ name }) => name === kind) as PresentedKind

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
    if (otherKind !== kind) throw invalid({ duplicateId: 'Records of different kinds cannot be merged' })
    refuseUnknown(kind, choices)
    return { kind, survivor, duplicate }
  }
  const mayUndo = async (caller: Caller, id: string) => {
    const merge = await getMerge(db, id)
    return hasValues(merge) && canUndo(caller, { ...merge, firstFinders: await listFirstFinders(db, merge) })
  }
  const changedSince = (caller: Caller, { kind, survivor, duplicate }: Awaited<ReturnType<typeof getBoth>>) =>
    changedMeanwhile([survivor, duplicate].map((row) => kind.present(caller, row)))

  app.post(
    '/records/merge/preview',
    head({
      ...{ operationId: 'previewMerge', summary: 'Show what a merge would make, without merging', tag: 'Duplicates' },
      scope: 'none',
      audit: { action: 'preview-merge' },
      body: MergeInput,
      answers: { 200: mergePreview(Record), 409: mergeConflict(Record) },
      refusals: [...RECORD_REFUSALS, forbidden(NOT_YOURS_TO_CHOOSE), changedMeanwhile(undefined)],
    }),
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
    head({
      ...{ operationId: 'mergeRecords', summary: 'Merge two records of one kind', tag: 'Duplicates' },
      scope: 'none',
      audit: { action: 'merge' },
      body: MergeInput,
      answers: { 200: merged(Record), 409: mergeConflict(Record) },
      refusals: [...RECORD_REFUSALS, forbidden(NOT_YOURS_TO_CHOOSE), changedMeanwhile(undefined), doNotKeep()],
      isIdempotent: true,
    }),
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

  app.get(
    '/records/:id/merges',
    head({
      ...{ operationId: 'listMerges', summary: 'List what was merged into a record, newest first', tag: 'Duplicates' },
      params: RecordParams,
      answers: { 200: z.array(ListedMerge) },
      refusals: RECORD_REFUSALS,
    }),
    async (request) => {
      const caller = callerOf(request)
      const { record } = await getRecordOfAny(db, kinds, caller, request.params.id)
      const open = await listOpenMerges(db, record.id)
      const isUndoable = open[0] !== undefined && (await mayUndo(caller, open[0].id))
      return open.map((merge, place) => ({ ...merge, can: { undo: place === 0 && isUndoable } }))
    },
  )

  app.post(
    '/merges/:id/undo',
    head({
      ...{ operationId: 'undoMerge', summary: 'Undo a merge', tag: 'Duplicates' },
      scope: 'none',
      audit: { action: 'undo-merge' },
      params: z.object({ id: z.uuid({ error: NO_MERGE }) }),
      answers: { 200: unmerged(Record), 409: UndoConflict },
      refusals: [notFound(NO_MERGE), refusal(rights.undoMerges), new AppError(409, UNDO_NEWER_FIRST), doNotKeep()],
    }),
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
