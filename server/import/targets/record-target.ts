import type { ImportRow } from '#contract/import.ts'
import { importKindNamed } from '#contract/import-kinds.ts'
import type { Database } from '#server/db/database.ts'
import { addressesIn as addressesInValues } from '#server/do-not-keep/listed.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { emailOf, ratingOf, scaleOf } from '#server/import/read/cells/cell-values.ts'
import { parseInfo } from '#server/import/read/cells/exported.ts'
import { guessMapping, textsOf } from '#server/import/read/columns/mapping.ts'
import { notesWithLines } from '#server/import/rows/note-lines.ts'
import { loadKnown } from '#server/import/rows/pipeline-known.ts'
import type { RecordPlan } from '#server/import/rows/plan-match.ts'
import { createSeenRows } from '#server/import/rows/plan-repeats.ts'
import { planRows } from '#server/import/rows/plan-rows.ts'
import { type ParsedRow, rowParser } from '#server/import/rows/values.ts'
import { addressesInTexts } from '#server/import/store/blocked-people.ts'
import { type ImportTarget, isRefusal, type Reading } from '#server/import/target.ts'
import { infoText } from '#server/records/fields.ts'
import type { HasRole } from '#server/rights.ts'
import { deleteCreatedTags } from './revert-pipeline.ts'
import { hasRun, revertRows } from './revert-rows.ts'
import { writeRows } from './write-rows.ts'

/** Rows become records of a kind, or change those that are here. */
export const recordTarget = (kind: EnrichedKind): ImportTarget<ParsedRow, RecordPlan> => ({
  ...importKindNamed(kind.name),
  guessMapping: (columns) => guessMapping(kind.name, columns),
  rules: {
    linkedIn: (text) => /linkedin\.|^[\w-]+$/i.test(text),
    website: (text) => /^\S+\.\S+$/.test(text.split(/[,;]?\s/, 1)[0] ?? ''),
    email: (text) => emailOf(text) !== undefined,
    rating: (text, header) => ratingOf(text, scaleOf(header)) !== undefined,
  },
  createParser: (db, file, uploader) => parserFor(db, kind, file, uploader),
  addressesIn: (file, cells) => addressesIn(kind, file, cells),
  createSeenRows: (parse) => createSeenRows(kind, parse),
  planRows: (db, context, rows) => planRows(db, { ...context, kind }, rows),
  writeRows: (tx, step, planned) => writeRows(tx, kind, step, planned),
  hasRun,
  revertRows: (tx, step, rows) => revertRows(tx, kind, step, rows),
  endRevert: deleteCreatedTags,
  async presentRows(db, record, rows) {
    const parse = await parserFor(db, kind, record, record.uploader)
    return rows.map(({ outcome, cells }) => {
      const parsed = outcome === 'refused' ? undefined : parse(cells)
      // One that can be imported has the values of its record, a refused one those of the file.
      const isShown = parsed !== undefined && !isRefusal(parsed)
      return { values: isShown ? shownValues(kind, parsed) : textsOf(record, cells) }
    })
  },
  events: (change) => [{ kind: kind.name, change }],
})

/** Those of the mapped columns as they are written, and of the public data of our own export. */
function addressesIn(kind: EnrichedKind, file: Reading, cells: string[]): string[] {
  const texts = textsOf(file, cells)
  const written = kind.fields.filter(({ content }) => content === 'address')
  const info = cells[file.columns.indexOf('additionalInfo')] ?? ''
  return [
    ...addressesInTexts(written.map(({ name }) => texts[name as keyof typeof texts])),
    ...addressesInValues(kind, { ...parseInfo(kind, info) }),
  ]
}

const parserFor = async (db: Database, kind: EnrichedKind, file: Reading, uploader: HasRole) =>
  rowParser(kind, file, uploader, await loadKnown(db, file, uploader))

/** The values of a row as a record would have them. */
function shownValues({ infoFields }: EnrichedKind, parsed: ParsedRow): ImportRow['values'] {
  const { fields, facts, createdBy, createdAt, pipeline } = parsed
  const notes = notesWithLines(fields.notes ?? '', parsed.lines).notes
  const values = {
    ...fields,
    ...(notes !== '' && { notes }),
    ...Object.fromEntries(infoFields.map(({ name, info }) => [name, infoText(facts[info])])),
    ...(createdBy !== undefined && { createdBy }),
    ...(createdAt !== undefined && { createdAt: createdAt.toISOString() }),
    ...pipeline.shown,
  }
  const shown = Object.entries(values).filter(([, value]) => value !== '' && value !== null && value !== undefined)
  return Object.fromEntries(shown.map(([field, value]) => [field, String(value)]))
}
