import { sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, auditLog, notes, passingReasons, passings, records } from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'
import { startOfDay, today } from '#server/records/days.ts'
import type { InboxKind, LineRow, Names, Reader } from '../kind.ts'
import { isHere } from './sql.ts'

/** A record unites several: its own passing says more than that of one merged into it. */
const passing = sql`lateral (
  select ${passings.passedBy} as by, ${passings.passedAt} as at
  from merged_tree(${records.id}) tree join ${passings} on ${passings.recordId} = tree.id
  order by tree.id = ${records.id} desc, ${passings.passedAt} desc limit 1
) passing`

/** The day to look again at a passed record has come, for who passed it and its responsible fellow. */
export const again: InboxKind = {
  name: 'again',
  rows: ({ caller, timeZone }: Reader) => {
    const day = today(timeZone)
    const fromUtc = startOfDay(day, timeZone).getTime() - Date.parse(day)
    const isDue = sql`${records.lookAgainOn} <= ${day}::date and ${isHere}`
    const columns = sql`${records.id} as id, ${records.lookAgainOn} as look_again_on, passing.by, passing.at`
    return sql`
      select id as own, id as subject, id as record, by,
        greatest(at, (look_again_on::timestamp at time zone 'UTC') + make_interval(secs => ${fromUtc / 1_000})) as at
      from (
        select ${columns} from ${records} left join ${passing} on true
        where ${records.responsibleId} = ${caller.id} and ${isDue}
        union
        select ${columns}
        from ${passings} join ${records} on ${records.id} = merged_root(${passings.recordId}) cross join ${passing}
        where ${passings.passedBy} = ${caller.id} and ${isDue} and passing.by = ${caller.id}
      ) due`
  },
  words: async (lines, { db, reader, names }) => {
    const passed = await getPassings(db, lines, reader)
    return lines.map(({ subject, recordName }) => {
      const { at = null, by = null, isMe, reason, ...since } = passed.get(subject) ?? {}
      const who = by === null ? `${recordName} was passed` : `${isMe ? 'You' : names.fellow(by)} passed ${recordName}`
      const month = at === null ? '' : ` in ${monthOf(new Date(at), reader.timeZone)}`
      const happened = happenedSince(since, names)
      return {
        sentence: `${who}${month}${reason ? `: ${names.word(reason)}` : ''}${happened.length > 0 ? `. Since then ${happened.join(', ')}` : ''}`,
      }
    })
  },
}

function monthOf(at: Date, timeZone: string): string {
  const isThisYear = today(timeZone, at.getTime()).slice(0, 4) === today(timeZone).slice(0, 4)
  return at.toLocaleDateString('en', { timeZone, month: 'long', ...(!isThisYear && { year: 'numeric' }) })
}

type Passing = {
  id: string
  reason: string | null
  at: string | null
  by: string | null
  isMe: boolean
} & Since
/** What has come since: notes, and the newest title and company, as the log has them. */
type Since = { notes: number; title: string | null; company: string | null }

const happenedSince = ({ notes = 0, title, company }: Partial<Since>, names: Names): string[] => [
  ...(notes > 0 ? [notes === 1 ? '1 note' : `${notes} notes`] : []),
  ...Object.entries({ title, company }).flatMap(([field, value]) => (value ? [names.value(field, value)] : [])),
]

/** Who passed these records, when, why, and what has come since, by their ids. */
async function getPassings(db: Database, lines: LineRow[], { caller }: Reader): Promise<Map<string, Partial<Passing>>> {
  const newest = (key: string) => sql`(
    select ${auditLog.after} ->> ${key} from ${auditLog}
    where ${auditLog.objectId} = ${records.id} and ${auditLog.at} > passing.at and ${auditLog.after} ? ${key}
    order by ${auditLog.at} desc limit 1
  )`
  const rows = await rowsOf<Passing>(
    db,
    sql`select ${records.id} as id, ${passingReasons.name} as reason, to_json(passing.at) #>> '{}' as at, ${shownName()} as by,
        passing.by = ${caller.id} as "isMe", ${newest('current_title')} as title, ${newest('current_company')} as company, (
          select count(*)::int from ${notes} where ${notes.recordId} = ${records.id} and ${notes.createdAt} > passing.at
        ) as notes
      from ${records} left join ${passingReasons} on ${passingReasons.id} = ${records.passingReasonId}
      left join ${passing} on true left join ${accounts} on ${accounts.id} = passing.by
      where ${records.id} = any (${sql.param(lines.map(({ subject }) => subject))}::uuid[])`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
