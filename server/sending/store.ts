import { eq, inArray, sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, settings } from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'
import type { Settings } from '#server/env.ts'

// Whether anything leaves the house by itself, and whether it has names. For all processes.

const PAUSED = 'sending-paused'
const NAMES = 'names-outside'

export type SendingState = {
  isPaused: boolean
  isFixed: boolean
  isRestored: boolean
  showsNames: boolean
  namesBy: { id: string; name: string } | null
}

type Names = 'off' | { by: string }

/**
 * Names that a manager has turned on again are shown while that account is a manager's, so that they stop when it is demoted, disabled,
 * leaves or is erased.
 */
export async function getSending(
  db: Database,
  { isSendingOff }: Pick<Settings, 'isSendingOff'>,
): Promise<SendingState> {
  const rows = await db
    .select()
    .from(settings)
    .where(inArray(settings.key, [PAUSED, NAMES]))
  const textOf = (key: string) => rows.find((row) => row.key === key)?.value
  const [paused, stored] = [textOf(PAUSED), textOf(NAMES)]
  const names = stored === undefined ? undefined : (JSON.parse(stored) as Names)
  const namesBy = names === undefined || names === 'off' ? null : await getManager(db, names.by)
  return {
    ...{ isPaused: isSendingOff || paused !== undefined, isFixed: isSendingOff, isRestored: paused === 'restored' },
    ...{ showsNames: names === undefined || namesBy !== null, namesBy },
  }
}

/** Whether the account of the enclosing query is that of a manager, who answers for what leaves the house. */
export const answersForSending = sql`(${accounts.role} = 'manager' and ${accounts.disabledAt} is null)`

/** The manager who answers for what is sent; null once the account is one no more. */
async function getManager(db: Database, accountId: string): Promise<{ id: string; name: string } | null> {
  const [row] = await rowsOf<{ id: string; name: string }>(
    db,
    sql`select ${accounts.publicId} as id, ${shownName()} as name from ${accounts}
      where ${accounts.id} = ${accountId} and ${answersForSending}`,
  )
  return row ?? null
}

const set = (tx: Database, key: string, value: string) =>
  tx.insert(settings).values({ key, value }).onConflictDoUpdate({ target: settings.key, set: { value } })

export async function pauseSending(tx: Database, why: 'chosen' | 'restored'): Promise<void> {
  await set(tx, PAUSED, why)
}

export async function resumeSending(tx: Database): Promise<void> {
  await tx.delete(settings).where(eq(settings.key, PAUSED))
}

/** `by` is the account that turns names on. */
export async function showNames(tx: Database, by: string | undefined): Promise<void> {
  await set(tx, NAMES, JSON.stringify(by === undefined ? 'off' : { by }))
}
