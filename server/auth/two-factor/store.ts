import { and, count, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { decrypt, encrypt } from '#server/auth/encryption.ts'
import type { Database } from '#server/db/database.ts'
import { recoveryCodes, twoFactors } from '#server/db/schema.ts'
import { hashOfRecoveryCode, isSixDigits, newRecoveryCodes, newSecret, plainCode, stepOf } from './codes.ts'

// `secret` is always the server's secret, which encrypts the stored ones.

/** Starts setting up an app. The app is active once one of its codes has been confirmed. */
export async function beginTwoFactor(db: Database, secret: string, account: { id: string; email: string }) {
  const made = newSecret(account.email)
  const encrypted = encrypt(made.bytes, 'two-factor', account.id, secret)
  const row = { secret: encrypted, lastStep: 0 }
  const begun = await db
    .insert(twoFactors)
    .values({ accountId: account.id, ...row })
    .onConflictDoUpdate({ target: twoFactors.accountId, set: row, setWhere: isNull(twoFactors.confirmedAt) })
    .returning({ accountId: twoFactors.accountId })
  return begun.length === 0 ? undefined : { uri: made.uri, secret: made.secret }
}

/** Uses up a code of an app, confirmed or not. Each code works once, and no older code works after it. */
async function spendAppCode(db: Database, secret: string, accountId: string, code: string, isConfirmed: boolean) {
  const [row] = await db
    .select({ encrypted: twoFactors.secret })
    .from(twoFactors)
    .where(
      and(
        eq(twoFactors.accountId, accountId),
        isConfirmed ? isNotNull(twoFactors.confirmedAt) : isNull(twoFactors.confirmedAt),
      ),
    )
  const bytes = row && decrypt(row.encrypted, 'two-factor', accountId, secret)
  const step = bytes && stepOf(code, bytes)
  if (row === undefined || step === undefined) return false
  const used = await db
    .update(twoFactors)
    .set({ lastStep: step, confirmedAt: sql`coalesce(${twoFactors.confirmedAt}, now())` })
    .where(
      and(eq(twoFactors.accountId, accountId), eq(twoFactors.secret, row.encrypted), lt(twoFactors.lastStep, step)),
    )
    .returning({ accountId: twoFactors.accountId })
  return used.length > 0
}

/** Confirms a new app with a code, which turns the second factor on. */
export const confirmTwoFactor = (db: Database, secret: string, accountId: string, code: string) =>
  spendAppCode(db, secret, accountId, plainCode(code), false)

/** Uses up a code at sign-in: of the app, or one of the recovery codes. */
export async function spendCode(db: Database, secret: string, accountId: string, typed: string): Promise<boolean> {
  const code = plainCode(typed)
  if (isSixDigits(code)) return spendAppCode(db, secret, accountId, code, true)
  const used = await db
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.accountId, accountId), eq(recoveryCodes.hash, hashOfRecoveryCode(code))))
    .returning({ accountId: recoveryCodes.accountId })
  return used.length > 0
}

/** Replaces the recovery codes. They are returned once; only their hashes are stored. */
export async function renewRecoveryCodes(db: Database, accountId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await db.transaction(async (tx) => {
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.accountId, accountId))
    await tx.insert(recoveryCodes).values(codes.map((code) => ({ accountId, hash: hashOfRecoveryCode(code) })))
  })
  return codes
}

export async function countRecoveryCodes(db: Database, accountId: string): Promise<number> {
  const [row] = await db.select({ left: count() }).from(recoveryCodes).where(eq(recoveryCodes.accountId, accountId))
  return row?.left ?? 0
}

/** Turns the second factor off and deletes its recovery codes. */
export async function deleteTwoFactor(db: Database, accountId: string): Promise<void> {
  await db.delete(twoFactors).where(eq(twoFactors.accountId, accountId))
}
