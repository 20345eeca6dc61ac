import { sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { ledger } from '#server/db/schema.ts'
import { isoTime } from '#server/db/sql.ts'
import { type LedgerLine, parseLine } from './lines.ts'

const COLUMNS = sql`id, ${isoTime(sql`at`)} as at, kind, facts`
type Row = { id: string; at: string; kind: string; facts: object }
const lineOf = ({ id, at, kind, facts }: Row) => parseLine({ id, at, kind, ...facts })

/** All lines of the database, oldest first. */
export const listLines = async (db: Database): Promise<LedgerLine[]> =>
  (await rowsOf<Row>(db, sql`select ${COLUMNS} from ledger order by ledger.at`)).map(lineOf)

/** The lines since a time. Transactions that started before it may add lines that are a little older. */
export const listLinesSince = async (db: Database, at: string): Promise<LedgerLine[]> =>
  (
    await rowsOf<Row>(
      db,
      sql`select ${COLUMNS} from ledger where ledger.at > ${at}::timestamptz - interval '1 hour' order by ledger.at`,
    )
  ).map(lineOf)

/** The lines with keys, oldest first: one, or several where ledgers were united. */
export const listKeys = async (db: Database): Promise<LedgerLine[]> =>
  (await rowsOf<Row>(db, sql`select ${COLUMNS} from ledger where ledger.kind = 'key' order by ledger.at, id`)).map(
    lineOf,
  )

/** Inserts lines. Returns those that the database did not have. */
export async function insertLines(tx: Database, lines: LedgerLine[]): Promise<LedgerLine[]> {
  const added = new Set<string>()
  for (let from = 0; from < lines.length; from += 1000) {
    const rows = lines
      .slice(from, from + 1000)
      .map(({ id, at, kind, ...facts }) => ({ id, at: new Date(at), kind, facts }))
    const inserted = await tx.insert(ledger).values(rows).onConflictDoNothing().returning({ id: ledger.id })
    for (const { id } of inserted) added.add(id)
  }
  return lines.filter(({ id }) => added.has(id))
}
