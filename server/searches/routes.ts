import { z } from 'zod'
import {
  NO_SEARCH,
  SavedSearch,
  SavedSearchesQuery,
  SavedSearchInput,
  SavedSearchParams,
  SavedSearchPatch,
  SearchSeen,
  SearchWatch,
} from '#contract/saved-search.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import type { App } from '#server/http/app.ts'
import { AppError, invalid, notFound } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import { idempotencyKeyOf, withIdempotency } from '#server/http/idempotency.ts'
import { anyRecord, type PresentedKind } from '#server/lists/present.ts'
import { type Reading, recordQuery } from '#server/lists/query.ts'
import { listRecords } from '#server/lists/store.ts'
import { getHorizon, SEEN_UNTIL, sendHorizon } from '#server/records/horizon.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import { mayChange, refusal, rights } from '#server/rights.ts'
import type { Services } from '#server/services.ts'
import { asRead, countNews, isWatched, type Reader } from './news.ts'
import { goneIn, listQueryOf, queryText, readQuery } from './query.ts'
import {
  bySearch,
  createSearch,
  deleteSearch,
  getSearch,
  listSearches,
  NOT_WATCHED,
  type SearchRow,
  setSearchSeen,
  TOO_MANY,
  TOO_MANY_SHARED,
  TOO_MANY_WATCHED,
  unwatchSearch,
  updateSearch,
  watchSearch,
} from './store.ts'

/** Saved searches: lists of one kind under a name. */
export function searchRoutes(app: App, { db, secret }: Services, kinds: readonly PresentedKind[]) {
  const tag = 'Searches'
  const reading = { db, secret }
  const one = { tag, params: SavedSearchParams, refusals: [notFound(NO_SEARCH)] }
  const changing = { ...one, refusals: [...one.refusals, refusal(rights.changeSearches)] }
  const queryRefused = invalid({ query: 'A search has no parameter "cohort"' })

  app.get(
    '/searches',
    head({
      ...{ operationId: 'listSearches', summary: "List the caller's own searches and shared ones", tag },
      description: `The header \`${SEEN_UNTIL}\` has the end of what was counted, for \`seen\`.`,
      query: SavedSearchesQuery,
      answers: { 200: z.array(SavedSearch) },
      isPaged: true,
    }),
    async (request, reply) => {
      const reader = { caller: callerOf(request), timeZone: request.query.timeZone }
      const until = await getHorizon(db)
      const list = await listSearches(db, reader.caller, pageRequest(bySearch, request))
      const shown = await present(reading, kinds, reader, list.rows, until)
      sendHorizon(reply, until)
      sendPage(bySearch, request, reply, { rows: [], next: list.next })
      return shown
    },
  )

  app.post(
    '/searches',
    head({
      ...{ operationId: 'createSearch', summary: 'Save a search', tag },
      scope: 'none',
      audit: { action: 'create', kind: 'search' },
      body: SavedSearchInput,
      answers: { 201: SavedSearch },
      // It may be deleted before a repeat of the request.
      refusals: [queryRefused, new AppError(409, TOO_MANY), new AppError(409, TOO_MANY_SHARED), notFound(NO_SEARCH)],
      isIdempotent: true,
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const key = idempotencyKeyOf(request, caller.id)
      const query = readQuery(kindOf(kinds, request.body), request.body.query)
      const row = await withIdempotency(
        db,
        key,
        () => createSearch(db, caller, { ...request.body, query }, key),
        (id) => getSearch(db, caller, id),
      )
      return reply.code(201).send(await presentOne(reading, kinds, { caller, timeZone: undefined }, row))
    },
  )

  app.patch(
    '/searches/:id',
    head({
      ...{ operationId: 'updateSearch', summary: 'Change a search, or share it', ...changing },
      scope: 'none',
      audit: { action: 'update', kind: 'search' },
      body: SavedSearchPatch,
      answers: { 200: SavedSearch },
      refusals: [...changing.refusals, queryRefused, new AppError(409, TOO_MANY_SHARED)],
    }),
    async (request) => {
      const caller = callerOf(request)
      const { id } = request.params
      const { query, ...change } = request.body
      const kind = kindOf(kinds, await getSearch(db, caller, id))
      const row = await updateSearch(db, caller, id, {
        ...change,
        ...(query !== undefined && { query: readQuery(kind, query) }),
      })
      return presentOne(reading, kinds, { caller, timeZone: undefined }, row)
    },
  )

  app.delete(
    '/searches/:id',
    head({
      ...{ operationId: 'deleteSearch', summary: 'Delete a search', ...changing },
      scope: 'none',
      audit: { action: 'delete', kind: 'search' },
      answers: { 204: z.null().describe('Deleted') },
    }),
    async (request, reply) => {
      await deleteSearch(db, callerOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )

  app.put(
    '/searches/:id/watch',
    head({
      ...{ operationId: 'watchSearch', summary: 'Watch a search, or stop watching it', ...one },
      scope: 'none',
      audit: { action: 'watch-search' },
      body: SearchWatch,
      answers: { 200: SavedSearch },
      refusals: [...one.refusals, new AppError(409, TOO_MANY_WATCHED)],
    }),
    async (request) => {
      const caller = callerOf(request)
      const { id } = request.params
      await (request.body.isWatched ? watchSearch : unwatchSearch)(db, caller, id)
      return presentOne(reading, kinds, { caller, timeZone: undefined }, await getSearch(db, caller, id))
    },
  )

  app.get(
    '/searches/:id/new',
    head({
      ...{ operationId: 'listSearchNews', summary: 'List what is new and changed in a watched search', ...one },
      description: `The header \`${SEEN_UNTIL}\` has the end of what is listed, for \`seen\`. Of many changes it is the whole list.`,
      query: SavedSearchesQuery,
      answers: { 200: z.array(anyRecord(kinds)) },
      refusals: [...one.refusals, new AppError(409, NOT_WATCHED)],
      isPaged: true,
    }),
    async (request, reply) => {
      const reader = { caller: callerOf(request), timeZone: request.query.timeZone }
      const row = await getSearch(db, reader.caller, request.params.id)
      if (!isWatched(row)) throw new AppError(409, NOT_WATCHED)
      const kind = kindOf(kinds, row)
      const until = await getHorizon(db)
      const news = (await countNews(reading, kinds, reader, [asRead(row)], until)).get(row.id)?.news
      const cohort = news?.isMany ? undefined : news?.cohort
      const parameters = { ...listQueryOf(kind, row.query, reader.timeZone), cohort }
      const query = await recordQuery(reading, kind, reader.caller, parameters)
      const list = await listRecords(db, kind, reader.caller, query, pageRequest(query.sort, request))
      sendHorizon(reply, until)
      return sendPage(query.sort, request, reply, list).map((record) => kind.present(reader.caller, record))
    },
  )

  app.post(
    '/searches/:id/seen',
    head({
      ...{ operationId: 'setSearchSeen', summary: 'Clear the numbers of a watched search', ...one },
      scope: 'none',
      audit: { action: 'seen-search' },
      body: SearchSeen,
      answers: { 204: z.null().describe('Cleared') },
      refusals: [...one.refusals, new AppError(409, NOT_WATCHED)],
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      await getSearch(db, caller, request.params.id)
      await setSearchSeen(db, caller, request.params.id, request.body.until)
      return reply.code(204).send(null)
    },
  )
}

const kindOf = <Kind extends PresentedKind>(kinds: readonly Kind[], { kind }: Pick<SearchRow, 'kind'>): Kind =>
  kinds.find(({ name }) => name === kind) as Kind

async function present(
  reading: Reading,
  kinds: readonly PresentedKind[],
  reader: Reader,
  rows: readonly SearchRow[],
  until: number,
): Promise<SavedSearch[]> {
  const counted = await countNews(reading, kinds, reader, rows.filter(isWatched).map(asRead), until)
  const gone = await goneIn(reading.db, rows)
  return rows.map((row, at) => ({
    ...{ id: row.id, kind: row.kind, name: row.name, query: queryText(kindOf(kinds, row), row.query) },
    ...{ about: row.about, isShared: row.isShared, isPinned: row.isPinned },
    ...{ isOwn: row.accountId === reader.caller.id, createdBy: row.createdBy, gone: gone[at] ?? [] },
    ...{ isWatched: isWatched(row), news: counted.get(row.id)?.news },
    can: { edit: mayChange(reader.caller, rights.changeSearches, row.accountId) },
  }))
}

async function presentOne(reading: Reading, kinds: readonly PresentedKind[], reader: Reader, row: SearchRow) {
  const [search] = await present(reading, kinds, reader, [row], await getHorizon(reading.db))
  return search as SavedSearch
}
