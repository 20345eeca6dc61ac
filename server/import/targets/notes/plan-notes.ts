import { sql } from 'drizzle-orm'
import type { Fault } from '#contract/import.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { notes } from '#server/db/schema.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import type { PlanContext } from '#server/import/target.ts'
import { accountsOf } from '#server/import/targets/write-rows.ts'
import { type FoundRecord, findRecords } from './find-records.ts'
import type { ParsedNote } from './parse-note.ts'

/** The author of a note: an account, else a name. */
export type NoteAuthor = { id: string } | { text: string }

/** What becomes of a row. `same`: the record has its notes. */
export type NotePlan = { faults: Fault[] } & (
  | { outcome: 'created' | 'same'; record: FoundRecord; author: NoteAuthor }
  | { outcome: 'refused'; record?: never }
)

export type RowToPlan = { parsed: ParsedNote }

export async function planNotes(
  db: Database,
  kinds: EnrichedKind[],
  { importer }: Pick<PlanContext, 'importer'>,
  rows: RowToPlan[],
): Promise<NotePlan[]> {
  if (rows.length === 0) return []
  const found = await findRecords(
    db,
    kinds,
    rows.map(({ parsed }) => parsed),
  )
  const authorOf = await authorsOf(
    db,
    rows.map(({ parsed }) => parsed),
    importer,
  )
  const plans = rows.map(({ parsed }, at): NotePlan => {
    const { faults } = parsed
    const match = found[at]
    if (match === undefined || 'fault' in match) {
      return { outcome: 'refused', faults: [...(match ? [match.fault] : []), ...faults] }
    }
    return { outcome: 'created', record: match.record, author: authorOf(parsed), faults }
  })
  const stored = await storedNotes(
    db,
    rows.map(({ parsed }, at) => ({ parsed, plan: plans[at] as NotePlan })),
  )
  return plans.map((plan, at) => (plan.outcome === 'created' && stored.has(at) ? { ...plan, outcome: 'same' } : plan))
}

/** The author of each note: the fellow who has verified the address, else the text. Without one, the uploader. */
export async function authorsOf(
  db: Database,
  parsed: Pick<ParsedNote, 'author'>[],
  importer: { id: string },
): Promise<(parsed: Pick<ParsedNote, 'author'>) => NoteAuthor> {
  const ids = await accountsOf(
    db,
    parsed.flatMap(({ author }) => author?.email ?? []),
  )
  return ({ author }) => {
    if (author === undefined) return { id: importer.id }
    const id = ids.get(author.email?.toLowerCase() ?? '')
    return id === undefined ? { text: author.text } : { id }
  }
}

/**
 * The rows whose record has all of their notes: the same texts by the same author, of the same date. A row without a date
 * has the time of its import, so any date is the same.
 */
export async function storedNotes(db: Database, rows: { parsed: ParsedNote; plan: NotePlan }[]): Promise<Set<number>> {
  const wanted = rows.flatMap(({ parsed, plan }, n) =>
    plan.outcome === 'refused'
      ? []
      : parsed.parts.map((content) => ({
          ...{ n, record_id: plan.record.id, content, author_text: parsed.author?.text ?? null },
          ...{ author_id: 'id' in plan.author ? plan.author.id : null, created_at: parsed.date?.toISOString() ?? null },
        })),
  )
  if (wanted.length === 0) return new Set()
  // Each note of a record is compared once. Equal parts of one text are one comparison.
  const found = await rowsOf<{ n: number; contents: number }>(
    db,
    sql`select wanted.n, count(distinct wanted.content)::int as contents
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as wanted (n int, record_id uuid, content text, author_id uuid, author_text text, created_at timestamptz(3))
      join ${notes} note on note.record_id = wanted.record_id and note.content = wanted.content
        and (note.author_id = wanted.author_id or note.author_text = wanted.author_text)
        and (wanted.created_at is null or note.created_at = wanted.created_at)
      group by wanted.n`,
  )
  return new Set(found.flatMap(({ n, contents }) => (contents === new Set(rows[n]?.parsed.parts).size ? [n] : [])))
}
