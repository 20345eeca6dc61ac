import { isDeepStrictEqual } from 'node:util'
import { keyOf } from '#contract/fields.ts'
import type { EnrichmentState, Facts } from '#server/db/schema.ts'
import type { ImportRowRecord } from '#server/import/store/store.ts'
import { infoOf } from '#server/records/fields.ts'
import type { RecordField, RecordKind } from '#server/records/kind.ts'
import { type Change, changeOf, type Stored } from '#server/records/write/corrections.ts'
import { IMPORT, isFromPerson, isImported, providedFields } from '#server/records/write/sources.ts'
import type { NotesEdit } from '#server/records/write/written-columns.ts'

// What the row of an import keeps of an update, and how a revert brings it back.

type Sources = NonNullable<EnrichmentState['sources']>
type Undo = Pick<ImportRowRecord, 'before' | 'after'>

/** What an update has replaced, besides the values by their keys. Rows of earlier versions have less of it. */
type Before = {
  isRated?: boolean
  /** Who had edited the notes last. */
  notesEdit?: { by: string | null; at: string | null }
  /** The sources of the values. */
  sources?: Sources
  /** What providers had found by an address that the row has changed, with its sources. */
  found?: Found
}
type Found = { fields: Facts; info: Facts; sources: Sources }

const pick = <Value>(from: { [key: string]: Value }, keys: string[]): { [key: string]: Value } =>
  Object.fromEntries(keys.flatMap((key) => (key in from ? [[key, from[key] as Value]] : [])))

/** The values before and after an update of a record. */
export function undoOf(record: Stored, { fields, set, sources, dropped }: Change): Undo {
  const stored: Facts = { ...record }
  const info = infoOf(record.additionalInfo)
  const sourcesBefore = record.enrichment.sources ?? {}
  const columns = Object.keys(fields).filter((column) => !dropped.fields.includes(column))
  const keys = [...columns, ...Object.keys(set)]
  const { notesEditedBy: by, notesEditedAt } = record
  const others: Before = {
    ...('rating' in fields && { isRated: record.isRated }),
    ...('notes' in fields && { notesEdit: { by, at: notesEditedAt?.toISOString() ?? null } }),
    sources: pick(
      sourcesBefore,
      keys.filter((key) => sources[key] !== sourcesBefore[key]),
    ),
    ...(dropped.fields.length + dropped.info.length > 0 && {
      found: {
        ...{ fields: pick(stored, dropped.fields), info: pick(info, dropped.info) },
        sources: pick(sourcesBefore, [...dropped.fields, ...dropped.info]),
      },
    }),
  }
  const values = keys.map((key) => [key, (columns.includes(key) ? stored : info)[key] ?? null])
  return { before: { ...Object.fromEntries(values), ...others }, after: { ...pick(fields, columns), ...set } }
}

/** What `after` has besides values of fields: see `write-pipeline.ts`. */
const OTHERS = new Set(['isRated', 'pipeline', 'tagRows'])

/** Whether an update has changed values of fields. */
export const hasValues = ({ after }: Pick<Undo, 'after'>): boolean =>
  Object.keys(after ?? {}).some((key) => !OTHERS.has(key))

type Revert = {
  change: Change
  notesEdit: NotesEdit
  /** Whether there is something to write. */
  isChanged: boolean
  /** False if a value stays that was changed since, or that the caller may not change. */
  isComplete: boolean
}

/**
 * The change that takes back an update by an import that began at `since`. What providers had found by the old address
 * comes back with it, and what they have found by the new one goes.
 */
export function revertOf(
  kind: RecordKind,
  record: Stored,
  { before, after }: Undo,
  { changeable, since }: { changeable: RecordField[]; since: Date | null },
): Revert {
  const { notesEdit, isRated, sources = {}, found, pipeline: _pipeline, ...values } = (before ?? {}) as Before & Facts
  const infoNames = kind.infoFields.map(({ info }): string => info)
  const given = Object.entries(after ?? {}).filter(([key]) => !OTHERS.has(key))
  const mayChange = changeable.map(keyOf)
  const untouched = given.flatMap(([key, value]) =>
    mayChange.includes(key) && isUntouched(record, key, { value, isInfo: infoNames.includes(key) }) ? [key] : [],
  )
  const hasAddress = given.every(([key]) => !(key in kind.addresses) || untouched.includes(key))
  const back = found && hasAddress ? stillFree(kind, record, found) : { fields: {}, info: {}, isComplete: true }

  const columns = pick(
    values,
    untouched.filter((key) => !infoNames.includes(key)),
  )
  const facts = untouched.filter((key) => infoNames.includes(key))
  const filled = facts.filter((key) => (values[key] ?? null) !== null)
  const rating = untouched.includes('rating') && isRated === false && { rating: null }
  const reverted = {
    fields: { ...columns, ...rating, ...back.fields },
    set: { ...pick(values, filled), ...back.info },
    removed: facts.filter((key) => !filled.includes(key)),
    kept: foundBefore(record, since),
  }
  const change = changeOf(kind, record, reverted, IMPORT)
  // The values have the sources that they had.
  const restored = {
    ...pick(sources, untouched),
    ...pick(found?.sources ?? {}, Object.keys({ ...back.fields, ...back.info })),
  }
  for (const key of Object.keys(change.set)) delete change.sources[key]
  Object.assign(change.sources, pick(restored, Object.keys({ ...change.fields, ...change.set })))
  const hasNotes = untouched.includes('notes') && notesEdit !== undefined
  return {
    change,
    notesEdit: hasNotes
      ? { notesEditedBy: notesEdit.by, notesEditedAt: notesEdit.at === null ? null : new Date(notesEdit.at) }
      : {},
    isChanged: untouched.length > 0,
    isComplete: untouched.length === given.length && back.isComplete,
  }
}

/** Whether a record still has the imported value. */
const isUntouched = (record: Stored, key: string, { value, isInfo }: { value: unknown; isInfo: boolean }): boolean =>
  isInfo
    ? isDeepStrictEqual(infoOf(record.additionalInfo)[key], value) && isImported(record.enrichment, key)
    : record[key as keyof Stored] === value

/** The found values that no person has replaced since. A picture has been overwritten by one that was found since. */
function stillFree({ infoFields }: RecordKind, record: Stored, { fields, info }: Pick<Found, 'fields' | 'info'>) {
  const { enrichment, ...stored }: Facts & Stored = record
  const now = infoOf(record.additionalInfo)
  const picture = infoFields.find(({ content }) => content === 'picture')?.info
  const isFree = (key: string) => !isFromPerson(enrichment, key)
  const freeFields = Object.keys(fields).filter(
    (key) => stored[key] === null || enrichment.sources?.[key] !== undefined,
  )
  const freeInfo = Object.keys(info).filter(isFree)
  return {
    fields: pick(fields, freeFields),
    info: pick(
      info,
      freeInfo.filter((key) => key !== picture || now[key] === undefined),
    ),
    isComplete: freeFields.length + freeInfo.length === Object.keys(fields).length + Object.keys(info).length,
  }
}

/** What providers had found before the import, by whatever address, stays. */
const foundBefore = ({ enrichment }: Stored, since: Date | null): string[] =>
  providedFields(enrichment).filter(
    (key) => since !== null && (enrichment.sources?.[key]?.at ?? '') < since.toISOString(),
  )
