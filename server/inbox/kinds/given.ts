import { sql } from 'drizzle-orm'
import { rowsOf } from '#server/db/database.ts'
import { assignments, records } from '#server/db/schema.ts'
import { recordOf } from '#server/db/sql.ts'
import { cohortValue } from '#server/lists/cohorts/cohort.ts'
import { givenAtOnce } from '#server/lists/cohorts/since.ts'
import { type InboxKind, type LineRow, type Wording, whoDid } from '../kind.ts'
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
    const paths = acts.length > 0 ? await pathsOf(acts, wording) : new Map<string, string>()
    const { secret, reader } = wording
    return lines.map((line) => {
      const what = line.recordName ?? (line.count === 1 ? '1 record' : `${line.count} records`)
      const sentence =
        line.byName === null
          ? `You are responsible for ${what} now`
          : `${whoDid(line)} made you responsible for ${what}`
      if (line.recordId !== null) return { sentence }
      const cohort = cohortValue({ secret, caller: reader.caller }, givenAtOnce, line.subject)
      return { sentence, address: `/${paths.get(line.subject)}?${new URLSearchParams({ cohort })}` }
    })
  },
}

/** The lists of the kinds of most of the records of each act. */
async function pathsOf(acts: LineRow[], { db, kinds, reader }: Wording): Promise<Map<string, string>> {
  const subjects = acts.map(({ subject }) => subject)
  const most = await rowsOf<{ act: string; kind: string }>(
    db,
    sql`select distinct on (act) act, kind from (
        select ${assignments.actId} as act, ${records.kind} as kind, count(*) as count
        from ${assignments} join ${records} on ${records.id} = merged_root(${assignments.recordId})
        where ${assignments.accountId} = ${reader.caller.id} and ${assignments.actId} = any (${sql.param(subjects)}::uuid[])
          and ${records.responsibleId} = ${reader.caller.id} and ${isHere}
        group by 1, 2
      ) counted order by act, count desc, kind desc`,
  )
  const pathOf = (kind: string) => kinds.find(({ name }) => name === kind)?.path ?? ''
  return new Map(most.map(({ act, kind }) => [act, pathOf(kind)]))
}
