import { and, type SQL, sql } from 'drizzle-orm'
import { foldWithOrigins } from '#contract/fold.ts'
import { EXCERPT_MAX } from '#contract/limits.ts'
import type { SecondaryMatch } from '#contract/secondary-match.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { notes, records } from '#server/db/schema.ts'
import { infoOf } from '#server/records/fields.ts'
import { isOfKind, type RecordKind } from '#server/records/kind.ts'
import { searchable, selectiveGrams } from '#server/records/write/search-text.ts'
import { isListed } from './candidates.ts'
import type { RecordQuery } from './query.ts'
import type { RecordRow } from './row.ts'

// Records whose enriched texts or fellow notes contain a term that their searched fields do not contain.

/** The newest texts are scanned first. A page of a common term is full then. */
const NEWEST = 12_000
/** A term that more of the newest texts contain is common. The index would read a large part of the table for it. */
const COMMON = 600
/** The matches of the index to sort. */
const INDEX_MAX = 2_001

export type SecondarySearch = { kind: RecordKind; query: RecordQuery & { search: string }; limit: number }

/** Where a search looks: texts and the ids of their records, the newest of them, and which ones the index of grams has. */
type Source = { table: typeof records | typeof notes; id: SQL; text: SQL; newest: SQL; isIndexed: SQL | undefined }

const sourcesOf = (kind: RecordKind): Source[] => [
  {
    table: records,
    id: sql`${records.id}`,
    text: sql`${records.secondaryText}`,
    newest: sql`select id, mention_text as text, true as is_here from ${records} where ${isOfKind(records.kind, kind)}
      order by created_at desc, id desc`,
    isIndexed: and(isOfKind(records.kind, kind), sql`${records.secondaryText} <> ''`),
  },
  {
    table: notes,
    id: sql`${notes.recordId}`,
    text: sql`${notes.searchText}`,
    // Ids rise with time. The kind is compared outside: a kind with few notes would have all of them read.
    newest: sql`select record_id as id, search_text as text, ${isOfKind(notes.kind, kind)} as is_here from ${notes}
      order by ${notes.id} desc`,
    isIndexed: isOfKind(notes.kind, kind),
  },
]

/** The ids of the newest records of each source, in any order, and of some older ones. */
export async function findSecondaryMatches(db: Database, search: SecondarySearch): Promise<string[]> {
  const found = await Promise.all(sourcesOf(search.kind).map((source) => findIn(db, source, search)))
  return [...new Set(found.flat())]
}

async function findIn(db: Database, source: Source, search: SecondarySearch): Promise<string[]> {
  // Few records meet the condition of a filter.
  const isFiltered = isListed(search.query.filters) !== undefined
  const newest = isFiltered ? { ids: [], mentions: 0 } : await collect(db, search, newestOf(source, search))
  if (newest.ids.length >= search.limit || newest.mentions > COMMON) return newest.ids
  const grams = sql`search_grams(${source.text}) @@ ${selectiveGrams(search.query.search)}::tsquery`
  const matches = sql`select ${source.id} as id from ${source.table}
    where ${and(source.isIndexed, grams, contains(source.text, search))} limit ${isFiltered ? null : INDEX_MAX}`
  // Of more matches, the index may return none of the newest.
  return [...newest.ids, ...(await collect(db, search, matches)).ids]
}

/** The matches among the newest texts, until the term is common. */
const newestOf = ({ newest }: Source, search: SecondarySearch) =>
  sql`select id from (${newest} limit ${NEWEST}) newest where is_here and ${contains(sql`text`, search)} limit ${COMMON + 1}`

/** The newest records among these matches that the exact search does not find, and the number of matches. */
async function collect(
  db: Database,
  search: SecondarySearch,
  matches: SQL,
): Promise<{ ids: string[]; mentions: number }> {
  const isWanted = and(
    isOfKind(records.kind, search.kind),
    isNotFound(search.query.search),
    isListed(search.query.filters),
  )
  // Sorted outside, and each record read by its id: the planner would read the whole table in the order of the page, or join it.
  const [found] = await rowsOf<{ ids: string[]; mentions: number }>(
    db,
    sql`with matches as materialized (${matches}),
    found as materialized (
      select found.id, found.created_at from (select distinct id from matches) mentioned
      cross join lateral (select ${records.id}, ${records.createdAt} from ${records} where ${records.id} = mentioned.id and ${isWanted} limit 1) found
    )
    select (select count(*)::int from matches) as mentions, (select coalesce(json_agg(id), '[]') from (
      select id from found order by created_at desc, id desc limit ${search.limit}
    ) page) as ids`,
  )
  return found ?? { ids: [], mentions: 0 }
}

const contains = (text: SQL, { query }: SecondarySearch) => sql`strpos(${text} collate "C", ${query.search}) > 0`

/** Whether the exact search leaves out a record. */
export const isNotFound = (search: string): SQL => sql`strpos(${records.searchText} collate "C", ${search}) = 0`

/** The newest note of each record that contains the term. */
export async function matchingNotes(
  db: Database,
  kind: RecordKind,
  search: string,
  ids: string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const found = await rowsOf<{ id: string; content: string }>(
    db,
    sql`select distinct on (record_id) record_id as id, content from ${notes}
      where record_id = any (${`{${ids.join()}}`}::uuid[]) and ${isOfKind(notes.kind, kind)}
        and strpos(search_text collate "C", ${search}) > 0
      order by record_id, created_at desc, id desc`,
  )
  return new Map(found.map(({ id, content }) => [id, content]))
}

/** The first field of a record that contains the term, with the text around it. */
export function secondaryMatchIn(kind: RecordKind, row: RecordRow, search: string): SecondaryMatch | undefined {
  const values = { fields: row as object as Record<string, unknown>, info: infoOf(row.additionalInfo) }
  for (const { field, from, key } of kind.secondary) {
    const excerpt = excerptOf(values[from][key], search)
    if (excerpt !== undefined) return { field, excerpt }
  }
  return undefined
}

/** The text around a term, with an ellipsis where it is cut. Undefined for a text without the term. */
export function excerptOf(value: unknown, search: string): string | undefined {
  const term = searchable(search)
  if (typeof value !== 'string' || !searchable(value).includes(term)) return undefined
  const text = value.normalize('NFKC')
  if (text.length <= EXCERPT_MAX) return text
  const { folded, origins } = foldWithOrigins(text)
  const found = Math.max(0, folded.indexOf(term))
  const at = origins[found] ?? 0
  const room = Math.max(0, EXCERPT_MAX - 2 - ((origins[found + term.length] ?? text.length) - at))
  const from = Math.max(0, Math.min(at - Math.floor(room / 2), text.length - (EXCERPT_MAX - 2)))
  const to = Math.min(text.length, from + EXCERPT_MAX - 2)
  const part = text
    .slice(from, to)
    .replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
    .trim()
  return `${from > 0 ? '…' : ''}${part}${to < text.length ? '…' : ''}`
}
