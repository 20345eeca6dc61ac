import { z } from 'zod'
import { type DuplicateReason, DuplicatesQuery, duplicatePair, Similar } from '#contract/duplicates.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import { listFindersOf, summarizeFinders } from '#server/finders/found.ts'
import type { App } from '#server/http/app.ts'
import { inBatches } from '#server/http/batches.ts'
import { invalid } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import { anyRecord, type PresentedKind } from '#server/lists/present.ts'
import { infoOf } from '#server/records/fields.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import type { Services } from '#server/services.ts'
import { wantedOf } from './identity.ts'
import { bestFirst, listPairs } from './pairs.ts'
import { findSimilar, isSure, listOwnFacts } from './similar.ts'

/** Finds records of one kind that are similar to a form's input. */
export function similarRoutes(app: App, { db }: Services, kind: PresentedKind) {
  app.get(
    `/${kind.path}/similar`,
    head({
      ...{ operationId: `listSimilar${kind.plural}`, summary: `List ${kind.path} that may be the one to add` },
      tag: kind.plural,
      query: kind.contract.SimilarQuery,
      answers: { 200: z.array(Similar) },
    }),
    async (request) => {
      const wanted = wantedOf(request.query)
      if (!wanted.name && !wanted[kind.lookup.field]) throw invalid({ name: 'Give a name or an address' })
      const caller = callerOf(request)
      const [similar = []] = await findSimilar(db, kind, [wanted])
      if (similar.length === 0) return []
      const ids = similar.map(({ id }) => id)
      const [found, finders] = await Promise.all([listOwnFacts(db, caller, ids), listFindersOf(db, ids)])
      return similar.map(({ id, name, reasons: [reason], isCertain, firstFinder, foundAt }) => ({
        ...{ id, name, ...kind.brief(infoOf(found.get(id)?.info)), reason: reason as DuplicateReason },
        ...{ isCertain, firstFinder },
        ...{ finders: summarizeFinders(caller, finders.get(id) ?? []), foundAt: foundAt.toISOString() },
        isMine: found.get(id)?.isMine ?? false,
      }))
    },
  )
}

/** The review of pairs that may be one record. */
export function duplicateRoutes(app: App, { db }: Services, kinds: readonly PresentedKind[]) {
  app.get(
    '/duplicates',
    head({
      ...{ operationId: 'listDuplicates', summary: 'List pairs that may be one record', tag: 'Duplicates' },
      query: DuplicatesQuery,
      answers: { 200: z.array(duplicatePair(anyRecord(kinds))) },
      isPaged: true,
    }),
    async (request, reply) => {
      const kind = kinds.find(({ name }) => name === request.query.kind) as PresentedKind
      const caller = callerOf(request)
      const pairs = await listPairs(db, kind, caller, pageRequest(bestFirst, request))
      const page = sendPage(bestFirst, request, reply, pairs)
      return inBatches(page, (batch) =>
        batch.map(({ rows: [a, b], reasons, score }) => ({
          a: kind.present(caller, a),
          b: kind.present(caller, b),
          reasons,
          isCertain: isSure(score),
        })),
      )
    },
  )
}
