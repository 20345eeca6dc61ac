import { sql } from 'drizzle-orm'
import { assignments, records } from '#server/db/schema.ts'
import { recordOf } from '#server/db/sql.ts'
import { givenAtOnce } from '#server/lists/cohorts/since.ts'
import { type InboxKind, type Reader, whoDid } from '../kind.ts'
import { addressesOfActs } from './acts.ts'
import { inboxSince, isHere } from './sql.ts'

/** Others have made the reader responsible. An act on many records, a hand-over and an import are one line each. */
export const given: InboxKind = {
  name: 'given',
  rows: (reader) => sql`
    select coalesce(${assignments.actId}, ${assignments.recordId}) as own, coalesce(${assignments.actId}, ${records.id}) as subject,
      case when ${assignments.actId} is null then ${records.id} end as record, ${assignments.assignedAt} as at,
      ${assignments.assignedBy} as by
    from ${assignments} ${recordOf(sql`merged_root(${assignments.recordId})`)}
    where ${assignments.accountId} = ${reader.caller.id} and ${records.responsibleId} = ${reader.caller.id}
      and ${assignments.assignedBy} is distinct from ${reader.caller.id}
      and ${assignments.assignedAt} > ${inboxSince(reader)} and ${isHere}`,
  countsAll: true,
  words: async (lines, wording) => {
    const acts = lines.filter(({ recordId }) => recordId === null)
    const addresses = await addressesOfActs(acts, givenAtOnce, kindsOf(wording.reader), wording)
    return lines.map((line) => {
      const what = line.recordName ?? (line.count === 1 ? '1 record' : `${line.count} records`)
      const sentence =
        line.byName === null
          ? `You are responsible for ${what} now`
          : `${whoDid(line)} made you responsible for ${what}`
      return { sentence, address: addresses.get(line.subject) }
    })
  },
}

/** The kind of each record of each act. */
const kindsOf = ({ caller: { id } }: Reader) => sql`
  select ${assignments.actId} as act, ${records.kind} as kind
  from ${assignments} join ${records} on ${records.id} = merged_root(${assignments.recordId})
  where ${assignments.accountId} = ${id} and ${records.responsibleId} = ${id} and ${isHere}`
