import { and, count, sql } from 'drizzle-orm'
import { INFORM_WITHIN_MONTHS, type UninformedCount } from '#contract/informing.ts'
import { PERSON } from '#contract/kinds.ts'
import { type Actor, beginAct, withActor } from '#server/audit-log/actor.ts'
import type { Database } from '#server/db/database.ts'
import { type EnrichmentState, records } from '#server/db/schema.ts'
import type { Sort } from '#server/records/cursor.ts'
import { isOfKind } from '#server/records/kind.ts'
import { notifyChange } from '#server/records/notify.ts'
import { isAfter, orderOf, type PageRequest } from '#server/records/paging.ts'
import { lockRows } from '#server/records/write/lock.ts'
import { markInformed } from '#server/records/write/write.ts'

/** A person who came first is due first. */
export const due = {
  name: 'due',
  direction: 'asc',
  columns: { createdAt: 'time', id: 'id' },
} as const satisfies Sort

/** What the list and the letter need of a person. */
export type PersonRow = {
  id: string
  name: string
  linkedIn: string | null
  notes: string
  isRated: boolean
  isImported: boolean
  hasNotes: boolean
  info: unknown
  enrichment: EnrichmentState
  createdAt: Date
  dueAt: Date
}

const columns = {
  ...{ id: records.id, name: records.name, linkedIn: records.linkedIn, notes: records.notes },
  ...{ isRated: records.isRated, isImported: records.isImported, createdAt: records.createdAt },
  ...{ info: records.additionalInfo, enrichment: records.enrichment },
  hasNotes: sql<boolean>`${records.notesCount} > 0`,
  // Months have no fixed length, so the calendar counts: from 31 January to 28 February.
  dueAt:
    sql<Date>`(${records.createdAt} at time zone 'UTC' + make_interval(months => ${sql.raw(String(INFORM_WITHIN_MONTHS))})) at time zone 'UTC'`.mapWith(
      records.createdAt,
    ),
}

const isPerson = isOfKind(records.kind, PERSON)
/** A person whose duplicate was informed before a merge is informed. */
const isUninformed = and(
  isPerson,
  sql`${records.informedAt} is null and not exists (
    select from merged_tree(${records.id}) tree join ${records} merged on merged.id = tree.id
    where merged.id <> ${records.id} and merged.informed_at is not null
  )`,
)

/** A page of the people who were not informed, the first due first, with one extra row when there is a next page. */
export const listUninformed = (db: Database, { limit, after }: PageRequest<typeof due>): Promise<PersonRow[]> =>
  db
    .select(columns)
    .from(records)
    .where(and(isUninformed, isAfter(due, records, after)))
    .orderBy(...orderOf(due, records))
    .limit(limit + 1)

/** Counts those who were not informed, up to a number, the first due first, so that all that are late come first. */
export async function countUninformed(db: Database, most: number): Promise<UninformedCount> {
  const first = db
    .select({ dueAt: columns.dueAt.as('due_at') })
    .from(records)
    .where(isUninformed)
    .orderBy(...orderOf(due, records))
    .limit(most)
    .as('uninformed')
  const [row] = await db
    .select({ toInform: count(), late: count(sql`case when ${first.dueAt} < now() then 1 end`) })
    .from(first)
  return row as UninformedCount
}

const BATCH = 500

/** All of them, in batches. */
export async function* eachUninformed(db: Database): AsyncGenerator<PersonRow[]> {
  let after: PersonRow | undefined
  do {
    const rows = (await listUninformed(db, { limit: BATCH - 1, after })).slice(0, BATCH)
    if (rows.length > 0) yield rows
    after = rows.length === BATCH ? rows.at(-1) : undefined
  } while (after !== undefined)
}

export async function getPerson(db: Database, id: string): Promise<PersonRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(records)
    .where(and(sql`${records.id} = ${id}`, isPerson))
  return row
}

/** Of more changes, only their kind is sent. */
const NAMED_MAX = 20

/** Marks people as informed, or takes the mark back. Returns the ids of those that changed. */
export const mark = (db: Database, by: Actor, ids: string[], isInformed: boolean): Promise<string[]> =>
  withActor(db, by, async (tx) => {
    await beginAct(tx, by, { action: isInformed ? 'inform' : 'undo-inform' })
    await lockRows(tx, ids)
    const changed = await markInformed(tx, PERSON, ids, isInformed ? by.id : null)
    const named = changed.length > NAMED_MAX ? [{}] : changed.map((id) => ({ id }))
    for (const about of changed.length > 0 ? named : []) {
      await notifyChange(tx, { kind: PERSON.name, change: 'updated', ...about })
    }
    return changed
  })
