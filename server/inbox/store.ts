import { type SQL, sql } from 'drizzle-orm'
import type { InboxMark, InboxQuery, Mark } from '#contract/inbox.ts'
import { INBOX_COUNT_MAX, type InboxGroup } from '#contract/inbox-kinds.ts'
import { rowsOf } from '#server/db/database.ts'
import { accounts, inboxSeen, records } from '#server/db/schema.ts'
import { isoTime, shownName } from '#server/db/sql.ts'
import type { Sort } from '#server/records/cursor.ts'
import { isAfter, orderOf, type PageRequest } from '#server/records/paging.ts'
import type { InboxKind, LineRow, Reader, Sources } from './kind.ts'
import { allInboxKinds, kindsOfGroup } from './kinds/list.ts'
import { inboxSince } from './kinds/sql.ts'

/** The newest lines first. The id is that of a line, from its kind and subject. */
export const newestLine = {
  name: 'newest-line',
  direction: 'desc',
  columns: { lastAt: 'time', id: 'id' },
} as const satisfies Sort

export type ListedLine = LineRow & { id: string }

/** Which lines are wanted: a condition of `line`, their order, and how many at most. */
type Wanted = { where: SQL; order?: SQL; limit?: number | null }

/** The wanted lines of one kind, each with what of it is seen and done. */
async function linesOf(sources: Sources, reader: Reader, kind: InboxKind, wanted: Wanted): Promise<SQL> {
  const order = wanted.order ? sql`order by ${wanted.order}` : sql``
  const end = sql`${order} limit ${wanted.limit ?? null}::int`
  const rows = await kind.rows(reader, sources)
  const lines = kind.isOfOneRow ? linesOfOneRow(reader, kind, rows) : linesOfRows(reader, kind, rows)
  if (!kind.beginsAt)
    return sql`(select line.*, null::timestamptz as since from (${lines}) line where ${wanted.where} ${end})`
  // By `offset 0` what is cheap is asked first, of all lines.
  return sql`(
    select line.*, begun.since
    from (select * from (${lines}) line where ${wanted.where} ${order} offset 0) line
    cross join lateral (select ${kind.beginsAt(reader, sql`line.subject`)} as since offset 0) begun
    where line.last_at > begun.since ${end}
  )`
}

const lineId = (kind: InboxKind) =>
  sql`${nameOf(kind)} as kind, md5(${nameOf(kind)} || item.subject)::uuid as id, item.subject`
const nameOf = ({ name }: InboxKind) => sql.raw(`'${name}'`)
const seenAs = ({ name, seenAs = name }: InboxKind) => sql.raw(`'${seenAs}'`)
const isSeen = (reader: Reader) => sql`item.at <= greatest(${inboxSeen.seenUntil}, ${inboxSince(reader)})`
const isDone = sql`item.at <= coalesce(${inboxSeen.doneUntil}, '-infinity')`
/** With `offset 0` each row is one lookup. PostgreSQL expects few rows, and a plain join may read all that an account has seen for each. */
const withSeen = (reader: Reader, kind: InboxKind, rows: SQL) => sql`(${rows}) item left join lateral (
    select * from ${inboxSeen}
    where ${inboxSeen.accountId} = ${reader.caller.id} and ${inboxSeen.kind} = ${seenAs(kind)} and ${inboxSeen.subject} = item.own offset 0
  ) inbox_seen on true`

const linesOfRows = (reader: Reader, kind: InboxKind, rows: SQL) => sql`
  select ${lineId(kind)}, case when count(*) = 1 or bool_and(item.record = item.subject) then (array_agg(item.record))[1] end as record, (array_agg(item.by order by item.at desc))[1] as by, max(item.at) as last_at,
    count(*)::int as items, (count(*) filter (where not ${isSeen(reader)}))::int as unseen,
    (count(*) filter (where not ${isDone}))::int as undone, min(item.at) filter (where not ${isSeen(reader)}) as unread_since,
    bool_and(${isSeen(reader)}) as is_read, bool_and(${isDone}) as is_done, max(${inboxSeen.seenUntil}) as seen_until,
    max(${inboxSeen.doneUntil}) as done_until, ${kind.words === 'in rows' ? sql`(array_agg(item.words))[1]` : sql`null::jsonb`} as words
  from ${withSeen(reader, kind, rows)} group by item.subject`

const linesOfOneRow = (reader: Reader, kind: InboxKind, rows: SQL) => sql`
  select ${lineId(kind)}, item.record, item.by, item.at as last_at, 1 as items, (not ${isSeen(reader)})::int as unseen, (not ${isDone})::int as undone,
    case when not ${isSeen(reader)} then item.at end as unread_since, ${isSeen(reader)} as is_read, ${isDone} as is_done,
    ${inboxSeen.seenUntil} as seen_until, ${inboxSeen.doneUntil} as done_until,
    ${kind.words === 'in rows' ? sql`item.words` : sql`null::jsonb`} as words
  from ${withSeen(reader, kind, rows)}`

/** The wanted lines of several kinds. */
async function linesOfAll(sources: Sources, reader: Reader, kinds: InboxKind[], wanted: Wanted): Promise<SQL> {
  return union(kinds.map((kind) => linesOf(sources, reader, kind, wanted)))
}

const union = async (parts: Promise<SQL>[]): Promise<SQL> => sql.join(await Promise.all(parts), sql` union all `)

/** A page of lines, with one extra row when there is a next page. */
export async function listLines(
  sources: Sources,
  reader: Reader,
  { group, state }: { group: InboxGroup; state: InboxQuery['state'] | 'unread' },
  { limit, after }: PageRequest<typeof newestLine>,
): Promise<ListedLine[]> {
  const line = { lastAt: sql`line.last_at`, id: sql`line.id` }
  const order = sql.join(orderOf(newestLine, line), sql`, `)
  const where = sql`is_done = ${state === 'done'} and ${state === 'unread' ? sql`not is_read` : sql`true`}
    and ${isAfter(newestLine, line, after) ?? sql`true`}`
  const lines = await linesOfAll(sources, reader, kindsOfGroup(group), { where, order, limit: limit + 1 })
  const rows = await rowsOf<Omit<ListedLine, Time | 'count'> & { [One in Time]: string } & Counted>(
    sources.db,
    sql`
      select page.kind, page.id, page.subject, ${records.id} as "recordId", ${records.kind} as "recordKind", ${records.name} as "recordName",
        ${accounts.publicId} as "byId", ${shownName()} as "byName", ${isoTime(sql`page.last_at`)} as "lastAt",
        ${isoTime(sql`page.since`)} as since, ${isoTime(sql`page.seen_until`)} as "seenUntil", ${isoTime(sql`page.done_until`)} as "doneUntil",
        page.items, page.unseen, page.undone, page.is_read as "isRead", page.is_done as "isDone", page.words
      from (select * from (${lines}) line order by ${order} limit ${limit + 1}) page
      left join ${records} on ${records.id} = page.record left join ${accounts} on ${accounts.id} = page.by
      order by page.last_at desc, page.id desc`,
    `inbox_${group}_${state}${after ? '_after' : ''}`,
  )
  const timeOf = (value: string | null): Date | null => (value === null ? null : new Date(value))
  return rows.map(({ items, unseen, undone, ...row }) => ({
    ...row,
    count: numberOf(row, { items, unseen, undone }),
    lastAt: new Date(row.lastAt),
    ...{ since: timeOf(row.since), seenUntil: timeOf(row.seenUntil), doneUntil: timeOf(row.doneUntil) },
  }))
}

type Time = 'lastAt' | 'since' | 'seenUntil' | 'doneUntil'
type Counted = { items: number; unseen: number; undone: number }

function numberOf({ kind }: Pick<LineRow, 'kind'>, { items, unseen, undone }: Counted): number {
  const countsAll = allInboxKinds.some(({ name, countsAll }) => name === kind && countsAll)
  return countsAll ? items : unseen || undone || items
}

/** The number of the bell: how many lines of a group are unread and open, at most some. */
export const countUnread = (sources: Sources, reader: Reader, group: InboxGroup, most = INBOX_COUNT_MAX) => {
  const counted = kindsOfGroup(group).filter(({ isNotCounted }) => !isNotCounted)
  return countOf(sources, reader, counted, most, `inbox_count_${group}`)
}

/** How many lines of a group are unread and open. */
export const countAllUnread = (sources: Sources, reader: Reader, group: InboxGroup) =>
  countOf(sources, reader, kindsOfGroup(group), null, `inbox_count_all_${group}`)

async function countOf(
  sources: Sources,
  reader: Reader,
  kinds: InboxKind[],
  most: number | null,
  name: string,
): Promise<number> {
  const lines = await linesOfAll(sources, reader, kinds, { where: sql`not is_read and not is_done`, limit: most })
  const [row] = await rowsOf<{ count: number }>(
    sources.db,
    sql`select count(*)::int as count from (select from (${lines}) line limit ${most}::int) unread`,
    name,
  )
  return row?.count ?? 0
}

/** Whether something for the reader has been unread for a day. */
export async function hasWaited(sources: Sources, reader: Reader): Promise<boolean> {
  const where = sql`not is_done and unread_since <= now() - interval '1 day'`
  const lines = await linesOfAll(sources, reader, kindsOfGroup('you'), { where, limit: 1 })
  const [row] = await rowsOf<{ is: boolean }>(sources.db, sql`select exists (${lines}) as is`)
  return row?.is ?? false
}

type Chosen = Pick<InboxMark, 'keys' | 'record'>

/** The rows of the chosen lines. */
async function chosenRows(sources: Sources, reader: Reader, kind: InboxKind, { keys, record }: Chosen): Promise<SQL> {
  const subjects = keys?.filter((key) => key.startsWith(`${kind.name}:`)).map((key) => key.slice(kind.name.length + 1))
  const isChosen = [
    ...(subjects ? [sql`item.subject = any (${sql.param(subjects)}::uuid[])`] : []),
    ...(record ? [sql`item.record = ${record}`] : []),
    ...(kind.beginsAt ? [sql`item.at > ${kind.beginsAt(reader, sql`item.subject`)}`] : []),
    sql`true`,
  ]
  return sql`select ${seenAs(kind)} as kind, item.own, item.at from (${await kind.rows(reader, sources)}) item
    where ${sql.join(isChosen, sql` and `)}`
}

const COLUMN_OF = { read: 'seen_until', unread: 'seen_until', done: 'done_until', reopen: 'done_until' } as const

/** Remembers that lines are seen or done until the horizon of an answer, or that they are not. */
export async function markLines(
  sources: Sources,
  reader: Reader,
  mark: Mark,
  { until, ...chosen }: Chosen & { until: string },
): Promise<void> {
  const column = sql.identifier(COLUMN_OF[mark])
  const isChosen = ({ name, isOfNoRecord }: InboxKind) =>
    chosen.keys ? chosen.keys.some((key) => key.startsWith(`${name}:`)) : !(chosen.record && isOfNoRecord)
  const rows = () => union(allInboxKinds.filter(isChosen).map((kind) => chosenRows(sources, reader, kind, chosen)))
  const moment = sql`least(${until}::timestamptz, now())`
  const { id } = reader.caller
  if (mark === 'unread' || mark === 'reopen') {
    const isAll = chosen.keys === undefined && chosen.record === undefined
    await sources.db.execute(sql`
      update ${inboxSeen} set ${column} = null where account_id = ${id} and ${column} is not null
        and ${isAll ? sql`${column} = ${until}::timestamptz` : sql`(kind, subject) in (select kind, own from (${await rows()}) chosen)`}`)
    return
  }
  await sources.db.execute(sql`
    insert into ${inboxSeen} as known (account_id, kind, subject, ${column})
    select distinct ${id}::uuid, chosen.kind, chosen.own, ${moment} from (${await rows()}) chosen
    left join ${inboxSeen} before on before.account_id = ${id} and before.kind = chosen.kind and before.subject = chosen.own
    where chosen.at <= ${moment} and chosen.at > coalesce(before.${column}, '-infinity')
    on conflict (account_id, kind, subject) do update set ${column} = greatest(known.${column}, excluded.${column})`)
}
