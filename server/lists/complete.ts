import { eq, sql } from 'drizzle-orm'
import { isManaging } from '#server/auth/store.ts'
import type { Database } from '#server/db/database.ts'
import { givenIds, isAmong, prepared, rowsOfIds } from '#server/db/prepared.ts'
import { accounts, passingReasons, recordMembers, stages } from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'
import { creatorAsFinder, listFindersOf } from '#server/finders/found.ts'
import type { ReadRow, RecordRow } from './row.ts'

/**
 * Adds what only some records have: further finders, names of what they refer to, an owner who is not their creator. Each
 * takes one statement for all records, and none if no record has it.
 */
export async function complete(db: Database, rows: ReadRow[]): Promise<RecordRow[]> {
  const [finders, names, owners] = await Promise.all([
    listFindersOf(
      db,
      rows.filter(({ hasMoreFinders }) => hasMoreFinders).map(({ id }) => id),
    ),
    namesOf(db, rows),
    ownersOf(db, rows),
  ])
  return rows.map((row) => {
    const owner = owners.get(row.id)
    const responsible = names.get(row.responsibleId)
    // An erased creator owns nothing.
    const ownerId = row.isCreatorErased ? null : (row.creatorId ?? owner?.accountId ?? null)
    // Changes the row: a copy of its forty values takes as long as reading them.
    return Object.assign(row, {
      notesPreview: row.notesPreview ?? [],
      notesEditor: names.get(row.notesEditedBy)?.name ?? null,
      stageName: names.get(row.stageId)?.name ?? null,
      reasonName: names.get(row.passingReasonId)?.name ?? null,
      responsible: responsible ? { id: responsible.publicId, name: responsible.name } : null,
      ownerId,
      hasOwnerLeft: row.creatorId === null ? (owner?.hasLeft ?? false) : row.hasCreatorLeft,
      hasManager: owner?.hasManager ?? false,
      finders: finders.get(row.id) ?? creatorAsFinder(row, ownerId),
    })
  })
}

type Named = { id: string; name: string; publicId: string }

const namesAmong = prepared((db) =>
  db
    .select({ id: sql<string>`named.id`, name: sql<string>`named.name`, publicId: sql<string>`named.public_id` })
    .from(
      sql`(
        select ${stages.id}, ${stages.name}, null::uuid as public_id from ${stages} where ${isAmong(stages.id, givenIds('ids'))}
        union all
        select ${passingReasons.id}, ${passingReasons.name}, null::uuid from ${passingReasons}
        where ${isAmong(passingReasons.id, givenIds('ids'))}
        union all
        select ${accounts.id}, ${shownName()}, ${accounts.publicId}
        from ${accounts} where ${isAmong(accounts.id, givenIds('ids'))}
      ) named`,
    )
    .prepare('names'),
)

/** The stages, reasons and fellows to which records refer, by id. */
async function namesOf(db: Database, rows: ReadRow[]): Promise<Map<string | null, Named>> {
  const ids = new Set<string>()
  for (const { stageId, passingReasonId, responsibleId, notesEditedBy } of rows)
    for (const id of [stageId, passingReasonId, responsibleId, notesEditedBy]) if (id !== null) ids.add(id)
  if (ids.size === 0) return new Map()
  const named = await namesAmong(db).execute({ ids: [...ids] })
  return new Map(named.map((one) => [one.id, one]))
}

type Owner = { accountId: string | null; hasLeft: boolean; hasManager: boolean }

const ownersAmong = prepared((db) =>
  db
    .select({
      id: sql<string>`given.id`,
      accountId: accounts.id,
      hasLeft: sql<boolean>`${accounts.leftAt} is not null`,
      hasManager: sql<boolean>`(select exists (select from ${accounts} where ${isManaging}))`,
    })
    .from(sql`${rowsOfIds('ids')} as given (id)`)
    .leftJoin(recordMembers, sql`${recordMembers.recordId} = given.id and ${recordMembers.isOwner}`)
    .leftJoin(accounts, eq(accounts.id, recordMembers.accountId))
    .prepare('owners'),
)

/** Of records whose creator has left, is erased or unknown: their owner, and whether the programme has a manager. */
async function ownersOf(db: Database, rows: ReadRow[]): Promise<Map<string, Owner>> {
  const ids = rows.filter(({ creatorId, hasCreatorLeft }) => creatorId === null || hasCreatorLeft).map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const owners = await ownersAmong(db).execute({ ids })
  return new Map(owners.map((owner) => [owner.id, owner]))
}
