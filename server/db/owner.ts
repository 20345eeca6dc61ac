import { sql } from 'drizzle-orm'
import { StartupError } from '#server/startup-error.ts'
import { type Database, type OpenDatabase, rowsOf } from './database.ts'
import { migrate, waitForMigrationTurn } from './migrate.ts'

/**
 * Append-only tables: the product's role may read and insert, and nothing else, even if an attacker controls the
 * product.
 */
const PERMANENT = ['audit_log']
/** Tables that only the owner writes. */
const OWNERS = ['schema_migrations']

/**
 * Brings the schema up to date as the role that owns it, and grants the product's own role the rows but not the tables:
 * that role cannot disable a trigger or change the audit log. Throws a `StartupError` when both are one role.
 */
export async function migrateAsOwner(owner: OpenDatabase, product: OpenDatabase): Promise<void> {
  const role = await roleOf(product.db)
  if (role === (await roleOf(owner.db))) {
    throw new StartupError('DATABASE_OWNER_URL and DATABASE_URL name the same role, so it protects nothing.')
  }
  await migrate(owner.db)
  await owner.db.transaction(async (tx) => {
    await waitForMigrationTurn(tx)
    const product = sql.identifier(role)
    const tables = (names: string[]) =>
      sql.join(
        names.map((name) => sql.identifier(name)),
        sql`, `,
      )
    await tx.execute(sql`grant usage on schema public to ${product}`)
    await tx.execute(sql`grant select, insert, update, delete on all tables in schema public to ${product}`)
    await tx.execute(sql`grant usage on all sequences in schema public to ${product}`)
    await tx.execute(sql`revoke update, delete, truncate on ${tables(PERMANENT)} from ${product}`)
    await tx.execute(sql`revoke insert, update, delete, truncate on ${tables(OWNERS)} from ${product}`)
  })
}

const roleOf = async (db: Database): Promise<string> => {
  const [row] = await rowsOf<{ role: string }>(db, sql`select current_user::text as role`)
  return row?.role ?? ''
}
