import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { CHECKSUM_BYTES } from '#server/ops/backup/format.ts'

// A search for planted strings, in everything that the product stores.

/** The rows of every table, those of the queue included, by the name of the table. */
export async function dumpOf(db: Database): Promise<Record<string, string>> {
  const tables = await rowsOf<{ name: string }>(
    db,
    sql`select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'm') and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'`,
  )
  const dump: Record<string, string> = {}
  for (const { name } of tables) {
    const rows = await rowsOf<{ text: string }>(db, sql`select t::text as text from ${sql.raw(name)} t`)
    dump[name] = rows.map(({ text }) => text).join('\n')
  }
  return dump
}

/** The rows of a backup, without compression. */
export function backupText(file: string): string {
  const bytes = readFileSync(file)
  return gunzipSync(bytes.subarray(bytes.indexOf('\n') + 1, bytes.length - CHECKSUM_BYTES)).toString()
}

/** A text in the encodings in which a dump may have it. The ends of base64 depend on what is beside it. */
function encodingsOf(text: string): { folded: string[]; exact: string[] } {
  const bytes = Buffer.from(text)
  const escaped = [...text].map((sign) =>
    sign > '\x7f' ? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}` : sign,
  )
  return {
    folded: [
      text.toLowerCase(),
      text.normalize('NFD').toLowerCase(),
      escaped.join('').toLowerCase(),
      bytes.toString('hex'),
    ],
    exact: [0, 1, 2].map((before) =>
      Buffer.concat([Buffer.alloc(before), bytes])
        .toString('base64')
        .replaceAll('=', '')
        .slice(before === 0 ? 0 : 4, -2),
    ),
  }
}

/** The texts that are there, in any encoding. */
export function tracesIn(place: string, texts: readonly string[]): string[] {
  const folded = place.toLowerCase()
  return texts.filter((text) => {
    const encodings = encodingsOf(text)
    return encodings.folded.some((one) => folded.includes(one)) || encodings.exact.some((one) => place.includes(one))
  })
}

/** The places with any of the texts, and which. */
export const tracesByPlace = (places: Record<string, string>, texts: readonly string[]): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(places)
      .map(([name, place]) => [name, tracesIn(place, texts)] as const)
      .filter(([, found]) => found.length > 0),
  )
