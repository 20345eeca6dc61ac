import { and, isNull } from 'drizzle-orm'
import { accounts } from '#server/db/schema.ts'

/** A fellow who can be chosen for something new. */
export const isActive = and(isNull(accounts.disabledAt), isNull(accounts.pendingSince))
