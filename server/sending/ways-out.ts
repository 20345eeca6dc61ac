import { type AnyColumn, sql } from 'drizzle-orm'
import { accounts } from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'

// What addresses to which something is sent have in common.

/** The 409 of a test. */
export const PAUSED = 'Sending is paused. Go on first.'

const HINT_CHARACTERS = 4

/** Its host and its last characters: enough to know it again, too little to use it. */
export const masked = (address: string) => `${new URL(address).host}/…${address.slice(-HINT_CHARACTERS)}`

/** The fellow of an account as on the wire, or null. */
export const fellowOf = (id: AnyColumn, where = sql`true`) => sql`(
  select json_build_object('id', ${accounts.publicId}, 'name', ${shownName()}) from ${accounts}
  where ${accounts.id} = ${id} and ${where})`
