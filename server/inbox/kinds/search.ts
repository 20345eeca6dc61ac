import { sql } from 'drizzle-orm'
import { newsWords, searchAddress } from '#contract/search-news.ts'
import { rowsOf } from '#server/db/database.ts'
import { inboxSeen } from '#server/db/schema.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { listNews, type SearchNewsOf } from '#server/searches/news.ts'
import { queryText } from '#server/searches/query.ts'
import type { InboxKind, Names, Reader, Sources, Words } from '../kind.ts'

/** New and changed records of searches that the reader watches: what is unread, else what came since a line was done, else since it was seen. */
export const search: InboxKind = {
  name: 'search',
  isOfNoRecord: true,
  isNotCounted: true,
  words: 'in rows',
  rows: async (reader, sources) => {
    const done = await getDone(sources, reader)
    const searches = await listNews(sources, sources.kinds, reader, done)
    const lines = searches.flatMap((one) => {
      const kind = sources.kinds.find(({ name }) => name === one.row.kind)
      return one.lastAt === null || !kind
        ? []
        : [{ id: one.row.id, at: one.lastAt, words: wordsOf(kind, one, sources.names) }]
    })
    return sql`
      select id as own, id as subject, null::uuid as record, to_timestamp(at / 1000) as at, null::uuid as by, words::jsonb
      from unnest(
        ${sql.param(lines.map(({ id }) => id))}::uuid[], ${sql.param(lines.map(({ at }) => at))}::float8[],
        ${sql.param(lines.map(({ words }) => JSON.stringify(words)))}::text[]
      ) as line (id, at, words)`
  },
}

function wordsOf(kind: RecordKind, { row, news }: SearchNewsOf, names: Names): Words {
  const words = `${newsWords(news)} in ${names.word(row.name)}`
  const saved = { id: row.id, query: queryText(kind, row.query) }
  return {
    sentence: `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
    address: searchAddress(`/${kind.path}`, saved, news.isMany ? undefined : news.cohort),
    ...(!news.isMany && { count: news.new.count + news.changed.count }),
  }
}

/** Until when the lines of searches are done, in milliseconds. */
async function getDone({ db }: Sources, { caller }: Reader): Promise<Map<string, number>> {
  const rows = await rowsOf<{ id: string; until: number }>(
    db,
    sql`select ${inboxSeen.subject} as id, (extract(epoch from ${inboxSeen.doneUntil}) * 1000)::float8 as until from ${inboxSeen}
      where ${inboxSeen.accountId} = ${caller.id} and ${inboxSeen.kind} = 'search' and ${inboxSeen.doneUntil} is not null`,
  )
  return new Map(rows.map(({ id, until }) => [id, until]))
}
