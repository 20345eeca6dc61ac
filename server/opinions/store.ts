import { and, eq, gte, inArray, isNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { AuditAction } from '#contract/audit-actions.ts'
import type { KindName } from '#contract/kinds.ts'
import type { OpinionInput } from '#contract/opinion.ts'
import { nameFellows } from '#server/account/named-fellows.ts'
import { withActor } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, merges, opinionAsks, opinionReadings, opinionReveals, opinions, records } from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'
import { AppError } from '#server/http/errors.ts'
import { isOfKind } from '#server/records/kind.ts'
import { notifyChange } from '#server/records/notify.ts'
import { lockRecords } from '#server/records/write/lock.ts'

/** The record that opinions are on. */
export type Parent = { kind: { name: KindName }; id: string }

/** The opinion of a fellow, as stored. */
export type OpinionRow = Pick<
  typeof opinions.$inferSelect,
  'id' | 'accountId' | 'rating' | 'comment' | 'isAfterReading' | 'givenAt' | 'changedAt'
> & { fellowId: string; author: string }

/** `given` counts opinions as they were given, before any merge: two of one fellow are two. */
export type OpinionsOfRecord = { rows: OpinionRow[]; given: number; revealedAt: Date | null }

/** How many opinions a record has. */
export const countOpinions = (db: Database, id: string): Promise<number> =>
  db.$count(opinions, eq(opinions.recordId, id))

/** All opinions on a record, first given first. Merges may have brought several of a fellow together. The newest counts. */
export async function getOpinions(db: Database, id: string): Promise<OpinionsOfRecord> {
  const newestOfEach = db
    .selectDistinctOn([opinions.accountId], {
      id: opinions.id,
      accountId: opinions.accountId,
      rating: opinions.rating,
      comment: opinions.comment,
      isAfterReading: opinions.isAfterReading,
      givenAt: opinions.givenAt,
      changedAt: opinions.changedAt,
      fellowId: accounts.publicId,
      author: shownName(),
      given: sql<number>`count(*) over ()::int`,
    })
    .from(opinions)
    .innerJoin(accounts, eq(accounts.id, opinions.accountId))
    .where(eq(opinions.recordId, id))
    .orderBy(opinions.accountId, sql`${opinions.givenAt} desc`, sql`${opinions.id} desc`)
  const [rows, revealedAt] = await Promise.all([newestOfEach, getRevealedAt(db, id)])
  const given = rows[0]?.given ?? 0
  return { rows: rows.toSorted((a, b) => a.givenAt.getTime() - b.givenAt.getTime()), given, revealedAt }
}

/** A record that unites several is revealed when each of them is: a merge reveals nothing. */
async function getRevealedAt(db: Database, id: string): Promise<Date | null> {
  const [row] = await rowsOf<{ at: string | null }>(
    db,
    sql`select case when count(*) = count(${opinionReveals.recordId}) then to_json(max(${opinionReveals.revealedAt})) #>> '{}' end as at
      from merged_tree(${id}) tree left join ${opinionReveals} on ${opinionReveals.recordId} = tree.id`,
  )
  return row?.at ? new Date(row.at) : null
}

/** Gives the caller's opinion or changes it. False when the record is gone or merged away. */
export const putOpinion = (
  db: Database,
  parent: Parent,
  caller: Caller,
  { rating, comment = '' }: OpinionInput,
): Promise<boolean> =>
  withActor(db, caller, async (tx) => {
    if (!(await lockRecord(tx, parent))) return false
    const known = await getOpinionOf(tx, parent, caller)
    if (known?.rating === rating && known.comment === comment) return true
    const isAfterReading = await hasRead(tx, parent, caller)
    const given = { rating, comment, isAfterReading }
    // The undo of a merge gives opinions back as they were. A later one is a row of its own, which stays on the survivor.
    if (known === undefined || (await isOfMerge(tx, parent, known))) {
      const { id, kind } = parent
      await tx.insert(opinions).values({ ...given, id: uuidv7(), recordId: id, kind: kind.name, accountId: caller.id })
    } else {
      await tx
        .update(opinions)
        .set({ ...given, changedAt: sql`clock_timestamp()` })
        .where(eq(opinions.id, known.id))
    }
    await logAct(tx, parent, caller, known === undefined ? 'give-opinion' : 'change-opinion')
    return true
  })

/** Deletes all opinions of the caller on a record. Does nothing without one. */
export const deleteOpinion = (db: Database, parent: Parent, caller: Caller): Promise<boolean> =>
  withActor(db, caller, async (tx) => {
    if (!(await lockRecord(tx, parent))) return false
    const deleted = await tx.delete(opinions).where(isOf(parent, caller)).returning({ id: opinions.id })
    if (deleted.length > 0) await logAct(tx, parent, caller, 'delete-opinion')
    return true
  })

/** Asks fellows for their opinion. Says nothing of what they have given. False when the record is gone or merged away. */
export const askForOpinions = (db: Database, parent: Parent, caller: Caller, fellows: string[]): Promise<boolean> =>
  withActor(db, caller, async (tx) => {
    if ((await lockRecord(tx, parent)) === undefined) return false
    const asked = await nameFellows(tx, caller, fellows, 'fellows')
    const ask = { recordId: parent.id, askedBy: caller.id }
    await tx.insert(opinionAsks).values([...asked.values()].map((accountId) => ({ ...ask, accountId })))
    await recordAuditEntry(tx, {
      ...{ action: 'ask-opinions', by: caller },
      ...{ kind: parent.kind.name, objectId: parent.id },
    })
    return true
  })

export const nothingToReveal = () => new AppError(409, 'There are no opinions to reveal yet')

/** Shows everyone the opinions of a record and of those merged into it. Repeating it is a no-op. */
export const revealOpinions = (db: Database, parent: Parent, caller: Caller): Promise<boolean> =>
  withActor(db, caller, async (tx) => {
    const record = await lockRecord(tx, parent)
    if (record === undefined) return false
    const revealed = await rowsOf(
      tx,
      sql`insert into ${opinionReveals} (record_id, account_id)
        select id, ${caller.id} from merged_tree(${parent.id}) order by id on conflict do nothing returning record_id`,
    )
    if (revealed.length === 0) return true
    // What is given on a revealed record is never blind.
    if (!record.hasOpinions) throw nothingToReveal()
    await logAct(tx, parent, caller, 'reveal-opinions')
    return true
  })

/** Remembers that a caller has read the opinions of others on these records, or of these opinions, in a report. */
export async function rememberReading(
  tx: Database,
  caller: Pick<Caller, 'id'>,
  { recordIds, opinionIds }: { recordIds: string[]; opinionIds: string[] },
): Promise<void> {
  const isRead = sql`${inArray(opinions.recordId, recordIds)} or ${inArray(opinions.id, opinionIds)}`
  await tx.execute(
    sql`insert into ${opinionReadings} (record_id, account_id)
      select distinct tree.id, ${caller.id}::uuid from ${opinions} cross join lateral merged_tree(${opinions.recordId}) tree
      where (${isRead}) and ${opinions.accountId} <> ${caller.id} order by tree.id on conflict do nothing`,
  )
}

/** Locks the record, as merges and deletions do, so that two opinions of one fellow at the same time end as one. */
async function lockRecord(tx: Database, { kind, id }: Parent): Promise<{ hasOpinions: boolean } | undefined> {
  const { hasOpinions } = records
  const [record] = await lockRecords(tx, [id], { hasOpinions }, 'no key update', isOfKind(records.kind, kind))
  return record
}

const isOf = ({ id }: Parent, { id: accountId }: Caller) =>
  and(eq(opinions.recordId, id), eq(opinions.accountId, accountId))

async function getOpinionOf(tx: Database, parent: Parent, caller: Caller) {
  const [row] = await tx
    .select()
    .from(opinions)
    .where(isOf(parent, caller))
    .orderBy(sql`${opinions.givenAt} desc`, sql`${opinions.id} desc`)
    .limit(1)
  return row
}

/** Whether the caller could ever read opinions of others on the record, or on one merged into it. */
async function hasRead(tx: Database, { id }: Parent, caller: Caller): Promise<boolean> {
  const [row] = await rowsOf<{ hasRead: boolean }>(
    tx,
    sql`select exists (
        select from merged_tree(${id}) tree
        where exists (select from ${opinionReadings} where record_id = tree.id and account_id = ${caller.id})
          or exists (select from ${opinionReveals} where record_id = tree.id)
      ) as "hasRead"`,
  )
  return row?.hasRead ?? false
}

/** Whether the opinion was there before a merge of the record that is not undone. */
async function isOfMerge(tx: Database, { id }: Parent, { givenAt }: Pick<OpinionRow, 'givenAt'>): Promise<boolean> {
  const rows = await tx
    .select({ id: merges.id })
    .from(merges)
    .where(and(eq(merges.survivorId, id), gte(merges.mergedAt, givenAt), isNull(merges.undoneAt)))
    .limit(1)
  return rows.length > 0
}

/** The entry and the event say that something happened, without a value. */
async function logAct(tx: Database, { kind, id }: Parent, by: Caller, action: AuditAction): Promise<void> {
  await recordAuditEntry(tx, { action, by, kind: kind.name, objectId: id })
  await notifyChange(tx, { kind: kind.name, change: 'updated', id })
}
