import { FEW_FOUND, FURTHER_MAX } from '#contract/limits.ts'
import type { ListQuery } from '#contract/record.ts'
import type { SecondaryMatch } from '#contract/secondary-match.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { invalid } from '#server/http/errors.ts'
import type { RecordKind } from '#server/records/kind.ts'
import type { RecordQuery } from './query.ts'
import type { RecordRow } from './row.ts'
import {
  excerptOf,
  findSecondaryMatches,
  matchingNotes,
  type SecondarySearch,
  secondaryMatchIn,
} from './secondary-matches.ts'
import { findSimilarNames } from './similar-names.ts'
import { getRecords, listRecords } from './store.ts'

type Further = { row: RecordRow; mention?: SecondaryMatch | undefined }

/**
 * What a search finds beyond its own results: records that mention the term, newest first, or similar names, best first.
 * With `all`, the results come first, then similar names if these are few, then mentions: the order of a search screen.
 * Throws the 400 for a request without a term, or for a further page.
 */
export async function listFurther(
  db: Database,
  kind: RecordKind,
  caller: Account,
  { search, ...query }: RecordQuery,
  { in: where, limit, cursor }: Pick<ListQuery, 'in' | 'limit' | 'cursor'>,
): Promise<Further[]> {
  if (search === undefined) throw invalid({ search: 'Enter what to search for' })
  if (cursor !== undefined) throw invalid({ cursor: `A search in ${where} has one page` })
  const wanted = { kind, query: { ...query, search }, limit: Math.min(limit ?? FURTHER_MAX, FURTHER_MAX) }
  if (where === 'similar') return listSimilarNames(db, caller, wanted)
  if (where === 'mentions') return listSecondaryMatches(db, caller, wanted)
  const { rows } = await listRecords(db, kind, caller, wanted.query, { limit: wanted.limit, after: undefined })
  if (rows.length === wanted.limit) return rows.map((row) => ({ row }))
  const [similar, mentions] = await Promise.all([
    rows.length < FEW_FOUND ? listSimilarNames(db, caller, wanted) : [],
    listSecondaryMatches(db, caller, wanted),
  ])
  const all = new Map([...rows.map((row) => ({ row })), ...similar].map((one) => [one.row.id, one]))
  for (const one of mentions) if (!all.has(one.row.id)) all.set(one.row.id, one)
  return [...all.values()].slice(0, wanted.limit)
}

async function listSimilarNames(db: Database, caller: Account, wanted: SecondarySearch): Promise<Further[]> {
  const ids = await findSimilarNames(db, wanted)
  const rows = new Map((await getRecords(db, wanted.kind, caller, ids)).map((row) => [row.id, row]))
  return ids.flatMap((id) => rows.get(id) ?? []).map((row) => ({ row }))
}

async function listSecondaryMatches(
  db: Database,
  caller: Account,
  { kind, query, limit }: SecondarySearch,
): Promise<Further[]> {
  const ids = await findSecondaryMatches(db, { kind, query, limit })
  const rows = (await getRecords(db, kind, caller, ids)).slice(0, limit)
  const inFields = rows.map((row) => ({ row, mention: secondaryMatchIn(kind, row, query.search) }))
  const others = inFields.filter(({ mention }) => mention === undefined).map(({ row }) => row.id)
  const notes = await matchingNotes(db, kind, query.search, others)
  return inFields.map(({ row, mention }) => {
    const excerpt = mention ? undefined : excerptOf(notes.get(row.id), query.search)
    return { row, mention: mention ?? (excerpt === undefined ? undefined : { field: 'note', excerpt }) }
  })
}
