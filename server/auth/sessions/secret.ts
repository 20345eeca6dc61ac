import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { settings } from '#server/db/schema.ts'

/** The secret that signs cookies: from the settings, or generated once and shared by all processes on the database. */
export async function authSecret(db: Database, given: string | undefined): Promise<string> {
  if (given !== undefined) return given
  const made = { key: 'auth-secret', value: randomBytes(32).toString('base64url') }
  await db.insert(settings).values(made).onConflictDoNothing()
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, made.key))
  return row?.value ?? made.value
}
