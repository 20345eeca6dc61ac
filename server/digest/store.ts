import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { DigestInput } from '#contract/digest.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, digestMails, digestRecords, digests } from '#server/db/schema.ts'
import { isoTime } from '#server/db/sql.ts'
import type { Sort } from '#server/records/cursor.ts'
import { isAfter, orderOf, type PageRequest } from '#server/records/paging.ts'
import { nextDigest, type Times, timesOf } from './due.ts'

/** A mail that was not accepted, or whose process was killed, is tried again after this. */
const RETRY_MINUTES = 30

const columns = sql`case ${digests.rhythm} when 'mondays' then 'off' else ${digests.rhythm} end as "when", ${digests.hour},
  ${digests.timeZone} as "timeZone", ${digests.hasWeek} and ${digests.rhythm} <> 'off' as week`

export async function getDigest(db: Database, accountId: string): Promise<DigestInput | undefined> {
  const [row] = await rowsOf<DigestInput>(
    db,
    sql`select ${columns} from ${digests} where ${digests.accountId} = ${accountId}`,
  )
  return row
}

/** Chooses when the mail of an account is due. */
export async function setDigest(tx: Database, accountId: string, input: DigestInput, now: Date): Promise<void> {
  const { week = (await getDigest(tx, accountId))?.week ?? false } = input
  const times = timesOf({ ...input, week })
  const chosen = { ...times, hasWeek: week, nextAt: nextDigest(times, now), chosenAt: now }
  await tx
    .insert(digests)
    .values({ accountId, ...chosen })
    .onConflictDoUpdate({ target: digests.accountId, set: chosen })
}

/** Ends the mail of an account. False where there is none. */
export async function stopDigest(tx: Database, accountId: string): Promise<boolean> {
  const stopped = await tx
    .update(digests)
    .set({ rhythm: 'off', hasWeek: false, nextAt: null })
    .where(and(eq(digests.accountId, accountId), sql`${digests.rhythm} <> 'off'`))
    .returning({ id: digests.accountId })
  return stopped.length > 0
}

/** The recipient of a mail, while the account is active and its address is proven. */
export type DueDigest = Times & { hasWeek: boolean; account: Account; publicId: string; isActive: boolean }

/** Mails that are due, at most some, which no other process gets until they are tried again. */
export async function claimDue(db: Database, now: Date, most: number): Promise<DueDigest[]> {
  const rows = await rowsOf<Times & Pick<DueDigest, 'hasWeek'> & Account & { publicId: string; isActive: boolean }>(
    db,
    sql`
      with due as (
        update ${digests} set next_at = ${now.toISOString()}::timestamptz + make_interval(mins => ${RETRY_MINUTES})
        where account_id in (
          select account_id from ${digests} where next_at <= ${now.toISOString()}::timestamptz
          order by next_at limit ${most} for update skip locked
        )
        returning account_id, rhythm, hour, time_zone as "timeZone", has_week as "hasWeek"
      )
      select due.rhythm, due.hour, due."timeZone", due."hasWeek", ${accounts.id}, ${accounts.publicId} as "publicId", ${accounts.name},
        ${accounts.email}, ${accounts.emailVerified} as "emailVerified", ${accounts.role}, ${isRecipient} as "isActive"
      from due join ${accounts} on ${accounts.id} = due.account_id`,
  )
  return rows.map(({ rhythm, hour, timeZone, hasWeek, publicId, isActive, ...account }) => ({
    ...{ rhythm, hour, timeZone, hasWeek, publicId, isActive, account },
  }))
}

const isRecipient = sql`(${accounts.emailVerified} and ${accounts.disabledAt} is null and ${accounts.pendingSince} is null and ${accounts.email} <> '')`

/**
 * Takes the mail of a day before it is sent, with the records that it names. False where that day has had one, or the account is to get
 * none any more.
 */
export const takeDay = (db: Database, accountId: string, day: string, recordIds: string[]): Promise<boolean> =>
  db.transaction(async (tx) => {
    const taken = await rowsOf(
      tx,
      sql`
        insert into ${digestMails} as known (account_id, day, taken_at)
        select ${accounts.id}, ${day}::date, now() from ${accounts} join ${digests} on ${digests.accountId} = ${accounts.id}
        where ${accounts.id} = ${accountId} and ${isRecipient} and ${digests.rhythm} <> 'off'
        on conflict (account_id, day) do update set taken_at = excluded.taken_at where known.sent_at is null
        returning account_id`,
    )
    if (taken.length === 0) return false
    await tx.execute(sql`
      insert into ${digestRecords} (record_id, account_id, named_at)
      select id, ${accountId}, now() from records where id = any (${sql.param(recordIds)}::uuid[])
      on conflict (record_id, account_id) do update set named_at = excluded.named_at`)
    return true
  })

/** The mail server has accepted the mail of a day. */
export async function markSent(db: Database, accountId: string, day: string): Promise<void> {
  await db
    .update(digestMails)
    .set({ sentAt: sql`now()` })
    .where(and(eq(digestMails.accountId, accountId), eq(digestMails.day, day), isNull(digestMails.sentAt)))
}

/** When the next mail is due, by what the account has chosen by now. */
export const scheduleNext = (db: Database, accountId: string, now: Date): Promise<void> =>
  db.transaction(async (tx) => {
    const [chosen] = await tx.select().from(digests).where(eq(digests.accountId, accountId)).for('update')
    if (chosen === undefined) return
    await tx
      .update(digests)
      .set({ nextAt: nextDigest(chosen, now) })
      .where(eq(digests.accountId, accountId))
  })

/** Whom mails named one of these records to, with the last time. */
export const listNamedTo = (db: Database, recordIds: string[]): Promise<{ account: string; at: string }[]> =>
  rowsOf(
    db,
    sql`select ${digestRecords.accountId} as account, ${isoTime(sql`max(${digestRecords.namedAt})`)} as at from ${digestRecords}
      where ${digestRecords.recordId} = any (${sql.param(recordIds)}::uuid[]) group by 1 order by 2 desc`,
  )

/** A day that is over is asked for no more. */
const KEPT_DAYS = 30

export async function deleteOldDigestMails(db: Database): Promise<void> {
  await db.delete(digestMails).where(lt(digestMails.takenAt, sql`now() - make_interval(days => ${KEPT_DAYS})`))
}

/** The mails that go out, those that were chosen first before the others. */
export const byChoice = {
  name: 'digests',
  direction: 'asc',
  columns: { chosenAt: 'time', id: 'id' },
} as const satisfies Sort

export type ListedDigest = DigestInput & { id: string; publicId: string; name: string; email: string; chosenAt: Date }

export async function listDigests(
  db: Database,
  { limit, after }: PageRequest<typeof byChoice>,
): Promise<ListedDigest[]> {
  const columnsOf = { chosenAt: digests.chosenAt, id: digests.accountId }
  const rows = await rowsOf<Omit<ListedDigest, 'chosenAt'> & { chosenAt: string }>(
    db,
    sql`
      select ${columns}, ${digests.accountId} as id, ${isoTime(digests.chosenAt)} as "chosenAt", ${accounts.publicId} as "publicId",
        ${accounts.name}, ${accounts.email}
      from ${digests} join ${accounts} on ${accounts.id} = ${digests.accountId}
      where ${digests.rhythm} <> 'off' and ${isAfter(byChoice, columnsOf, after) ?? sql`true`}
      order by ${sql.join(orderOf(byChoice, columnsOf), sql`, `)} limit ${limit + 1}`,
  )
  return rows.map((row) => ({ ...row, chosenAt: new Date(row.chosenAt) }))
}
