import { randomUUID } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { type KindName, kinds } from '#contract/kinds.ts'
import { type Actor, beginAct } from '#server/audit-log/actor.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { recordMembers, records } from '#server/db/schema.ts'
import { notifyChange } from '#server/records/notify.ts'
import { changePipelines } from '#server/records/write/write.ts'

/** How many records of each kind are handed over: those that a leaver is responsible for, and those created without anyone. */
export type HandOverCounts = Record<KindName, { responsible: number; created: number }>

const oneOf = (column: unknown, ids: string[]) => sql`${column} = any (${sql.param(ids)}::uuid[])`
const literal = (kind: KindName) => sql.raw(`'${kind}'`)

/** The records of a kind that are handed over, each with whether a leaver is responsible for it. */
const handedOver = (kind: KindName, leaverIds: string[]): SQL => sql`
  select ${records.id} as id, true as is_responsible from ${records}
  where ${records.kind} = ${literal(kind)} and ${oneOf(records.responsibleId, leaverIds)}
  union all
  select ${records.id}, false from ${recordMembers} join ${records} on ${records.id} = ${recordMembers.recordId}
  where ${recordMembers.kind} = ${literal(kind)} and ${recordMembers.isOwner} and ${oneOf(recordMembers.accountId, leaverIds)}
    and ${records.kind} = ${literal(kind)} and ${records.responsibleId} is null`

export async function countHandOver(db: Database, leaverIds: string[]): Promise<HandOverCounts> {
  const counted = kinds.map(async ({ name }) => {
    const [row] = await rowsOf<HandOverCounts[KindName]>(
      db,
      sql`select count(*) filter (where is_responsible)::int as responsible,
          count(*) filter (where not is_responsible)::int as created
        from (${handedOver(name, leaverIds)}) handed`,
    )
    return [name, row]
  })
  return Object.fromEntries(await Promise.all(counted))
}

/** Of more records only their kind is sent to pages. */
const NOTIFIED = 20

/** Records that one statement changes, which has little time. */
const AT_ONCE = 500

type HandedOver = { id: string; kind: KindName; isResponsible: boolean }

/** Locks them in the order of their ids, as every change of several records does. */
const lockHandedOver = (tx: Database, leaverIds: string[]) =>
  rowsOf<HandedOver>(
    tx,
    sql`select records.id, records.kind, handed.is_responsible as "isResponsible"
      from (${sql.join(
        kinds.map(({ name }) => handedOver(name, leaverIds)),
        sql` union all `,
      )}) handed join ${records} on ${records.id} = handed.id
      order by ${records.id} for no key update of records`,
  )

/**
 * Makes a fellow responsible for the records of leavers, or no one: those for which a leaver is responsible, and those that a
 * leaver created and for which no one is. Part of a transaction. Returns how many.
 */
export async function handOver(
  tx: Database,
  by: Actor | undefined,
  leaverIds: string[],
  responsibleId: string | null,
): Promise<HandOverCounts> {
  const rows = await lockHandedOver(tx, leaverIds)
  await beginAct(tx, by, { action: 'update-pipeline', detail: { with: 'leaving' }, batchId: randomUUID() })
  await tx.execute(sql`select set_config('sourcebook.quiet', 'on', true)`)
  const counts = {} as HandOverCounts
  for (const kind of kinds) {
    const ofKind = rows.filter((row) => row.kind === kind.name)
    const [responsible, created] = [true, false].map((is) => ofKind.filter(({ isResponsible }) => isResponsible === is))
    counts[kind.name] = { responsible: responsible?.length ?? 0, created: created?.length ?? 0 }
    // Without a successor, those for which no one is responsible stay as they are.
    const ids = (responsibleId === null ? responsible : ofKind)?.map(({ id }) => id) ?? []
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      await changePipelines(tx, kind, ids.slice(from, from + AT_ONCE), { responsibleId })
    }
    for (const id of ids.length > NOTIFIED ? [undefined] : ids) {
      await notifyChange(tx, { kind: kind.name, change: 'pipeline', ...(id && { id }) })
    }
  }
  await tx.execute(sql`select set_config('sourcebook.quiet', '', true)`)
  await beginAct(tx, by, {})
  return counts
}
