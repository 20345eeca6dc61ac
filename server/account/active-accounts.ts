import { and, eq, isNull } from 'drizzle-orm'
import { NIL } from 'uuid'
import type { Database } from '#server/db/database.ts'
import { accounts } from '#server/db/schema.ts'

/** A fellow who can be chosen for something new. */
export const isActive = and(isNull(accounts.disabledAt), isNull(accounts.pendingSince))

/** The planner knows how many records an account has. It would guess for one that is read in the same statement. */
export async function accountOf(db: Database, publicId: string): Promise<string> {
  const [account] = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.publicId, publicId))
  return account?.id ?? NIL
}
