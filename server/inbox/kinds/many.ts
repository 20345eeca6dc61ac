import { sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { bulkActs, records, stages } from '#server/db/schema.ts'
import { changedAmongMany, changedByAct } from '#server/lists/cohorts/followed.ts'
import { type InboxKind, type LineRow, type Names, whoDid } from '../kind.ts'
import { addressesOfActs } from './acts.ts'

/** Others have changed many records at once, some of which the reader follows. */
export const many: InboxKind = {
  name: 'many',
  seenAs: 'followed',
  rows: ({ caller }) => changedAmongMany(caller.id),
  countsAll: true,
  words: async (lines, wording) => {
    const acts = await getActs(wording.db, lines)
    const kindsOf = sql`
      select item.subject as act, ${records.kind} as kind
      from (${changedAmongMany(wording.reader.caller.id)}) item join ${records} on ${records.id} = item.own`
    const addresses = await addressesOfActs(lines, changedByAct, kindsOf, wording)
    return lines.map((line) => ({
      sentence: `${whoDid(line)} ${whatOf(acts.get(line.subject), line, wording.names)}`,
      address: addresses.get(line.subject),
    }))
  },
}

type Act = { id: string; passes: boolean; stage: string | null }

async function getActs(db: Database, lines: LineRow[]): Promise<Map<string, Act>> {
  const rows = await rowsOf<Act>(
    db,
    sql`select ${bulkActs.id} as id, ${bulkActs.passes} as passes, ${stages.name} as stage
      from ${bulkActs} left join ${stages} on ${stages.id} = ${bulkActs.stageId}
      where ${bulkActs.id} = any (${sql.param(lines.map(({ subject }) => subject))}::uuid[])`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

function whatOf(act: Act | undefined, { recordName, count }: LineRow, names: Names): string {
  const what = recordName ?? `${count} records`
  if (act?.passes) return `passed ${what}`
  return act?.stage ? `moved ${what} to ${names.word(act.stage)}` : `changed ${what}`
}
