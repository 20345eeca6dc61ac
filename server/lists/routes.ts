import { z } from 'zod'
import type { AuditAction } from '#contract/audit-actions.ts'
import { conflictWith } from '#contract/errors.ts'
import { SUGGESTED_MAX } from '#contract/limits.ts'
import { MergedInConflict } from '#contract/merge.ts'
import { withOverrule } from '#contract/overrule.ts'
import { withArticle } from '#contract/plain-text.ts'
import { RecordParams } from '#contract/record.ts'
import { type Account, callerOf } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { OVERRULE_REFUSALS, overruleOf } from '#server/do-not-keep/overrule.ts'
import type { App } from '#server/http/app.ts'
import { changedMeanwhile, forbidden, mergedIn } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import { idempotencyKeyOf, withIdempotency } from '#server/http/idempotency.ts'
import { getRecord, listRecords } from '#server/lists/store.ts'
import { countOpinions } from '#server/opinions/store.ts'
import { getSharedHorizon, SEEN_UNTIL, sendHorizon } from '#server/records/horizon.ts'
import type { WholeText } from '#server/records/kind.ts'
import { listOpenMerges, rootOf } from '#server/records/merged.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import {
  authorizeDelete,
  authorizeEdit,
  hasToUndoFirst,
  NOT_YOURS_TO_DELETE,
  NOT_YOURS_TO_EDIT,
} from '#server/records/policy.ts'
import { RECORD_REFUSALS } from '#server/records/store.ts'
import { correctRecord } from '#server/records/write/corrections.ts'
import { createRecord, deleteRecord, updateRecord } from '#server/records/write/write.ts'
import { refusal, rights } from '#server/rights.ts'
import type { Services } from '#server/services.ts'
import type { PresentedKind } from './present.ts'
import { recordQuery } from './query.ts'
import type { RecordRow } from './row.ts'
import { listFurther } from './secondary-results.ts'
import { listSuggested } from './suggested-values.ts'

/** The calls on records of one kind. */
export function recordRoutes(app: App, { db, secret, enrichment }: Services, kind: PresentedKind) {
  const { Record, Listed, Input, Patch, Correction, ListQuery, Created } = kind.contract
  const { label, plural, plural: tag } = kind
  const one = withArticle(kind.name)
  const audit = (action: AuditAction) => ({ audit: { action, kind: kind.name } })
  const editing = {
    params: RecordParams,
    answers: { 200: Record, 409: conflictWith(Record) },
    refusals: [...RECORD_REFUSALS, forbidden(NOT_YOURS_TO_EDIT), changedMeanwhile(undefined)],
  }
  const getToEdit = async (caller: Account, id: string) => {
    const record = await getRecord(db, kind, caller, id)
    authorizeEdit(caller, record)
    return record
  }
  const conflictOf = async (caller: Account, { id }: Pick<RecordRow, 'id'>) =>
    changedMeanwhile(kind.present(caller, await getRecord(db, kind, caller, id)))

  app.get(
    `/${kind.path}`,
    head({
      ...{ operationId: `list${plural}`, summary: `List, filter and search ${kind.path}`, tag },
      query: ListQuery,
      answers: { 200: z.array(Listed) },
      // A cohort of the programme's figures.
      refusals: [refusal(rights.programme)],
      isPaged: true,
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const query = await recordQuery({ db, secret }, kind, caller, request.query)
      if (request.query.in !== undefined) {
        const further = await listFurther(db, kind, caller, query, request.query)
        return further.map(({ row, mention }) => ({ ...kind.present(caller, row), mention }))
      }
      const list = await listRecords(db, kind, caller, query, pageRequest(query.sort, request))
      return sendPage(query.sort, request, reply, list).map((row) => kind.present(caller, row))
    },
  )

  if (kind.suggested && kind.contract.ValuesQuery) {
    const { suggested } = kind
    app.get(
      `/${kind.path}/values`,
      head({
        ...{ operationId: `suggest${label}Values`, summary: `Suggest values of a filter of ${kind.path}`, tag },
        query: kind.contract.ValuesQuery,
        answers: { 200: z.array(z.string()).max(SUGGESTED_MAX) },
      }),
      ({ query: { of, search } }) => listSuggested(db, kind, suggested[of] as WholeText, search),
    )
  }

  app.get(
    `/${kind.path}/:id`,
    head({
      ...{ operationId: `get${label}`, summary: `Get ${one}`, tag },
      description: `The header \`${SEEN_UNTIL}\` has until when what this shows is seen, for \`POST /api/inbox/read\`.`,
      params: RecordParams,
      answers: { 200: Record },
      refusals: RECORD_REFUSALS,
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      sendHorizon(reply, await getSharedHorizon(db))
      return presentAlone(db, kind, caller, await getRecord(db, kind, caller, request.params.id))
    },
  )

  app.post(
    `/${kind.path}`,
    head({
      ...{ operationId: `create${label}`, summary: `Add ${one}, and look up its public data`, tag },
      ...audit('create'),
      body: withOverrule(Input),
      answers: { 201: Created },
      // It may be deleted or merged before the response, or before a repeat of the request.
      refusals: [...RECORD_REFUSALS, ...OVERRULE_REFUSALS],
      isIdempotent: true,
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const key = idempotencyKeyOf(request, caller.id)
      const overrule = overruleOf(request, request.body.overrule)
      const record = await withIdempotency(
        db,
        key,
        () => createRecord(db, kind, caller, request.body, key, overrule),
        async (madeId) => getRecord(db, kind, caller, await rootOf(db, madeId)),
      )
      const found = await enrichment.lookUpNew(kind.name, record, caller, request.outsideShare)
      return reply.code(201).send({ ...kind.present(caller, await getRecord(db, kind, caller, record.id)), ...found })
    },
  )

  app.put(
    `/${kind.path}/:id`,
    head({
      ...{ operationId: `update${label}`, summary: `Change the notes and the rating of ${one}`, tag },
      ...audit('update'),
      ...editing,
      body: Patch,
    }),
    async (request) => {
      const caller = callerOf(request)
      const record = await getToEdit(caller, request.params.id)
      const updated = await updateRecord(db, kind, caller, record, request.body)
      if (updated === undefined) throw await conflictOf(caller, record)
      return presentAlone(db, kind, caller, updated)
    },
  )

  app.patch(
    `/${kind.path}/:id`,
    head({
      ...{ operationId: `correct${label}`, summary: `Correct values of ${one}`, tag },
      ...audit('update'),
      ...editing,
      refusals: [...editing.refusals, ...OVERRULE_REFUSALS],
      body: withOverrule(Correction),
    }),
    async (request) => {
      const caller = callerOf(request)
      const record = await getToEdit(caller, request.params.id)
      const { overrule, ...correction } = request.body
      const allowed = overruleOf(request, overrule)
      const corrected = await correctRecord(db, kind, caller, record, correction, allowed)
      if (corrected === undefined) throw await conflictOf(caller, record)
      if (!corrected.hasNewAddress) return presentAlone(db, kind, caller, corrected.record)
      await enrichment.startLookUp(kind.name, corrected.record, caller)
      return presentAlone(db, kind, caller, await getRecord(db, kind, caller, record.id))
    },
  )

  app.delete(
    `/${kind.path}/:id`,
    head({
      ...{ operationId: `delete${label}`, summary: `Delete ${one}`, tag },
      ...audit('delete'),
      params: RecordParams,
      answers: { 204: z.null().describe('Deleted'), 409: MergedInConflict },
      refusals: [...RECORD_REFUSALS, forbidden(NOT_YOURS_TO_DELETE), mergedIn(undefined)],
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      let record: RecordRow
      do {
        record = await getRecord(db, kind, caller, request.params.id)
        if (hasToUndoFirst(caller, record)) throw mergedIn(await listOpenMerges(db, record.id))
        authorizeDelete(caller, record)
      } while (!(await deleteRecord(db, kind, caller, record)))
      return reply.code(204).send(null)
    },
  )
}

/** The answer of one record. It has the number of opinions given, if there are any, which no list has. */
async function presentAlone(db: Database, kind: PresentedKind, caller: Account, row: RecordRow): Promise<object> {
  const presented = kind.present(caller, row)
  return row.hasOpinions ? { ...presented, opinionCount: await countOpinions(db, row.id) } : presented
}
