import { EXPORT_COLUMNS, type ExportFormat, LINE_COLUMNS } from '#contract/export.ts'
import type { Field } from '#contract/fields.ts'
import { ownColumnOf, type PipelineFileName, pipelineFields } from '#contract/pipeline-fields.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import type { Facts } from '#server/db/schema.ts'
import type { RecordRow } from '#server/lists/row.ts'
import { recordFeatures } from '#server/record-features.ts'
import { infoOf, infoText } from '#server/records/fields.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { joinTags } from '#server/tags/joined.ts'
import { withoutAddresses } from '#server/tokens/answers.ts'
import { CSV_HEAD, csvRecord } from './csv.ts'
import { listAddresses } from './store.ts'

const EMPTY = Object.fromEntries(EXPORT_COLUMNS.map((column) => [column, null]))

/** The values of the columns. */
function fieldsOf({ fileFields }: RecordKind, row: RecordRow): Facts {
  const facts = infoOf(row.additionalInfo)
  const valueIn = ({ name, info, isColumn }: Field): unknown => {
    if (info !== undefined && !isColumn) return infoText(facts[info]) || null
    // A record that was imported without a rating has none.
    if (name === 'rating') return row.isRated ? row.rating : null
    return name === 'createdAt' ? row.createdAt.toISOString() : row[name as keyof RecordRow]
  }
  return { ...EMPTY, ...Object.fromEntries(fileFields.map((field) => [field.name, valueIn(field)])) }
}

type Addresses = Map<string, string>

/** What stands for a value of the pipeline in a file: its name. A fellow has their address, since two may share a name. */
const pipelineValues: {
  [Name in Exclude<PipelineFileName, 'tags'>]: (row: RecordRow, addresses: Addresses) => string | null
} = {
  stage: ({ stageName }) => stageName,
  // A record of which nothing was set has no status either.
  status: ({ status, pipelineVersion }) => (pipelineVersion === 0 ? null : status),
  responsible: ({ responsibleId, responsible }, addresses) =>
    addresses.get(responsibleId ?? '') || responsible?.name || null,
  nextStep: ({ nextStep }) => nextStep,
  nextOn: ({ nextOn }) => nextOn,
  reason: ({ reasonName }) => reasonName,
  reasonText: ({ passingText }) => passingText,
  lookAgainOn: ({ lookAgainOn }) => lookAgainOn,
}

const pipelineOf = (row: RecordRow, addresses: Addresses): Facts =>
  Object.fromEntries(pipelineFields.map((field) => [ownColumnOf(field), pipelineValues[field.name](row, addresses)]))

const namesOfTags = ({ tags }: RecordRow): string[] => (tags ?? []).map(({ name }) => name)

/** Enriched values. The address of a picture is left out, because it is one of this product. */
function exportedInfo({ infoFields }: RecordKind, additionalInfo: unknown): Facts | null {
  if (additionalInfo === null) return null
  const pictures = new Set(infoFields.flatMap(({ info, content }) => (content === 'picture' ? [info] : [])))
  return Object.fromEntries(Object.entries(infoOf(additionalInfo)).filter(([name]) => !pictures.has(name)))
}

/** No address of a fellow is in the file of a token. */
const addressesFor = (db: Database, caller: Account, rows: RecordRow[]) =>
  caller.token === undefined ? listAddresses(db, rows) : new Map<string, string>()
const shownTo = async <Line>(db: Database, caller: Account, lines: Line[]): Promise<Line[]> =>
  caller.token === undefined ? lines : withoutAddresses(db, lines)

/** What features add to a line, by its name there. */
const exportedParts = recordFeatures.flatMap(({ exported = {} }) => Object.entries(exported))

/** The header of each format, and its writer of a batch of records. */
export const formats: Record<
  ExportFormat,
  {
    type: string
    head: string
    write: (db: Database, kind: RecordKind, caller: Account, rows: RecordRow[]) => Promise<string>
  }
> = {
  csv: {
    type: 'text/csv; charset=utf-8',
    head: CSV_HEAD,
    write: async (db, kind, caller, rows) => {
      const addresses = await addressesFor(db, caller, rows)
      const valuesOf = (row: RecordRow) => ({
        ...fieldsOf(kind, row),
        ...pipelineOf(row, addresses),
        tags: joinTags(namesOfTags(row)),
      })
      const lines = await shownTo(db, caller, rows.map(valuesOf))
      return lines.map(csvRecord).join('')
    },
  },
  jsonl: {
    type: 'application/x-ndjson; charset=utf-8',
    head: '',
    write: async (db, kind, caller, rows) => {
      const ids = rows.map(({ id }) => id)
      const [addresses, ...parts] = await Promise.all([
        addressesFor(db, caller, rows),
        ...exportedParts.map(async ([name, listOf]) => [name, await listOf(db, kind, ids)] as const),
      ])
      const lineOf = (row: RecordRow) => {
        const pipeline = pipelineOf(row, addresses)
        const inOrder = Object.entries(fieldsOf(kind, row)).map(([name, value]) => [name, pipeline[name] ?? value])
        return {
          ...Object.fromEntries(inOrder),
          tags: row.tags === null ? null : namesOfTags(row),
          additionalInfo: exportedInfo(kind, row.additionalInfo),
          ...Object.fromEntries(parts.map(([name, ofRecords]) => [name, ofRecords.get(row.id)])),
          ...Object.fromEntries(LINE_COLUMNS.map((column) => [column, pipeline[column]])),
        }
      }
      const lines = await shownTo(db, caller, rows.map(lineOf))
      return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    },
  },
}
