import { sql } from 'drizzle-orm'
import { rowsOf } from '#server/db/database.ts'
import { accounts, auditLog, notes, records, stages } from '#server/db/schema.ts'
import { recordOf, shownName } from '#server/db/sql.ts'
import { changedAlone } from '#server/lists/cohorts/followed.ts'
import { presentOpinions } from '#server/opinions/present.ts'
import { getOpinions } from '#server/opinions/store.ts'
import { type InboxKind, type LineRow, type Wording, whoDid } from '../kind.ts'

/** Others have done something by hand about a record that the reader follows. Own acts count as having seen what was before. */
export const followed: InboxKind = {
  name: 'followed',
  isOfOneRow: true,
  rows: ({ caller }) => changedAlone(caller.id),
  beginsAt: ({ caller: { id } }, record) => sql`news_since(${id}, ${record})`,
  words: async (lines, wording) => {
    const news = await getNews(lines, wording)
    const words: { sentence: string }[] = []
    // Of decisions alone the opinions are read.
    for (const line of lines) words.push({ sentence: await sentenceOf(line, news.get(line.subject), wording) })
    return words
  },
}

async function sentenceOf(line: LineRow, news: News | undefined, wording: Wording): Promise<string> {
  const count = news?.notes ?? 0
  if (news?.status) {
    const decided = await decisionOf(line, news, wording)
    return count === 0 ? decided : `${decided} ${count === 1 ? '1 new note.' : `${count} new notes.`}`
  }
  if (count === 1) return `${news?.noteBy} added a note on ${line.recordName}`
  if (count > 1) return `${count} new notes on ${line.recordName}, the last by ${news?.noteBy}`
  return `${whoDid(line)} ${actOf(news, line)}`
}

type News = {
  id: string
  notes: number
  noteBy: string | null
  /** The newest entry of another about the record. */
  action: string | null
  stage: string | null
  /** The decision, while it stands, and who made it. */
  status: 'advanced' | 'passed' | null
  decidedBy: string | null
}

/** What others have done since the reader has seen these records, or did something about them, by their ids. */
async function getNews(lines: LineRow[], { db, reader, names }: Wording): Promise<Map<string, News>> {
  const { id: me } = reader.caller
  // What was seen is told again until it is done.
  const starts = lines.map(({ since, seenUntil, doneUntil, isRead }) =>
    [since, isRead ? doneUntil : seenUntil, doneUntil].reduce((last, time) =>
      time && (!last || time > last) ? time : last,
    ),
  )
  const isOfOther = sql`${auditLog.objectId} = ${records.id} and ${auditLog.at} > span.start
    and ${auditLog.accountId} is distinct from ${me} and ${auditLog.isActivity}`
  const rows = await rowsOf<News>(
    db,
    sql`
      select ${records.id} as id, noted.count as notes, noted.by as "noteBy", last.action, last.stage, decided.status,
        decided.by as "decidedBy"
      from unnest(
        ${sql.param(lines.map(({ subject }) => subject))}::uuid[],
        ${sql.param(starts.map((start) => start?.toISOString() ?? null))}::timestamptz[]
      ) given (id, start)
      ${recordOf(sql`given.id`)}
      cross join lateral (
        select greatest(given.start, (
          select max(at) from activities() activity where activity.id = ${records.id} and activity.by = ${me}
        )) as start
      ) span
      left join lateral (
        select count(*)::int as count, (array_agg(${shownName()} order by ${notes.createdAt} desc))[1] as by
        from ${notes} join ${accounts} on ${accounts.id} = ${notes.authorId}
        where ${notes.recordId} = ${records.id} and ${notes.createdAt} > span.start and ${notes.authorId} <> ${me}
          and ${notes.importId} is null
      ) noted on true
      left join lateral (
        select ${auditLog.action} as action, (
          select ${stages.name} from ${stages} where ${stages.id}::text = ${auditLog.after} ->> 'stageId'
        ) as stage
        from ${auditLog} where ${isOfOther} order by ${auditLog.at} desc limit 1
      ) last on true
      left join lateral (
        select ${auditLog.after} ->> 'status' as status, ${shownName()} as by
        from ${auditLog} left join ${accounts} on ${accounts.id} = ${auditLog.accountId}
        where ${isOfOther} and ${records.status} in ('advanced', 'passed') and ${auditLog.after} ->> 'status' = ${records.status}
        order by ${auditLog.at} desc limit 1
      ) decided on true`,
  )
  const named = (name: string | null) => name && names.fellow(name)
  return new Map(
    rows.map(({ noteBy, decidedBy, stage, ...row }) => [
      row.id,
      { ...row, noteBy: named(noteBy), decidedBy: named(decidedBy), stage: stage && names.word(stage) },
    ]),
  )
}

/** *Ada advanced. You said 8, the median was 6*: only where the reader gave an opinion, and may read the others. */
async function decisionOf({ subject, recordName }: LineRow, { status, decidedBy }: News, { db, reader }: Wording) {
  const decided =
    status === 'advanced' ? `${recordName} advanced.` : `${decidedBy ?? 'Sourcebook'} passed ${recordName}.`
  const { mine, others, median } = presentOpinions(reader.caller, await getOpinions(db, subject))
  if (mine === null || median === null || others === null || others.length === 0) return decided
  return `${decided} You said ${mine.rating}, the median was ${median}.`
}

function actOf(news: News | undefined, { recordName }: LineRow): string {
  if (news?.action === 'merge') return `merged another record into ${recordName}`
  if (news?.action === 'update-pipeline' && news.stage !== null) return `moved ${recordName} to ${news.stage}`
  return `changed ${recordName}`
}
