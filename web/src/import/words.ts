import type { Import, ImportOutcome } from '#contract/import.ts'
import type { Dialect } from '#contract/import-file.ts'
import { type ImportField, type ImportKindName, importKindNamed } from '#contract/import-kinds.ts'
import { capital } from '#contract/plain-text.ts'

export const labelOf = (field: Pick<ImportField, 'label' | 'fileLabel'>): string =>
  field.fileLabel ?? capital(field.label)

export const outcomeLabels: Record<ImportOutcome, string> = {
  created: 'New',
  updated: 'Updated',
  same: 'No change',
  duplicate: 'Already here',
  maybe: 'May be the same',
  refused: 'Refused',
  reverted: 'Reverted',
  kept: 'Kept',
}

export const stateLabels: Record<Import['state'], string> = {
  reading: 'Reading the file',
  ready: 'Not imported yet',
  running: 'Importing',
  done: 'Imported',
  cancelled: 'Cancelled',
  reverting: 'Reverting',
  reverted: 'Reverted',
  failed: 'Failed',
}

type Csv = Extract<Dialect, { format: 'csv' }>

export const encodingLabels: Record<Csv['encoding'], string> = {
  'utf-8': 'UTF-8',
  'utf-8-twice': 'UTF-8, encoded twice',
  'utf-16le': 'UTF-16 (little endian)',
  'utf-16be': 'UTF-16 (big endian)',
  'windows-1252': 'Windows, Western European',
  'windows-1250': 'Windows, Central European',
  'windows-1251': 'Windows, Cyrillic',
  macintosh: 'Mac, Western European',
  shift_jis: 'Shift-JIS, Japanese',
  gb18030: 'GB18030, Chinese',
}

export const separatorLabels: Record<Csv['separator'], string> = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Pipe',
}

export const formatLabels: Record<Dialect['format'], string> = { csv: 'CSV', xlsx: 'Excel (XLSX)', jsonl: 'JSON Lines' }

export const countOf = (count: number, singular: string, plural = `${singular}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`

/** A kind of rows in a sentence, with a number: `1 founder`, `2,000 companies`, `3 notes`. */
export const recordsOf = (kind: ImportKindName, count: number) => {
  const { label, plural } = importKindNamed(kind)
  return countOf(count, label.toLowerCase(), plural.toLowerCase())
}

/** The size of a file: `812 bytes`, `1.2 KB`, `48 MB`. */
export const sizeOf = (bytes: number) => {
  if (bytes < 1_000) return countOf(bytes, 'byte')
  const [size, unit] = bytes < 999_500 ? [bytes / 1_000, 'KB'] : [bytes / 1_000_000, 'MB']
  return `${size.toLocaleString('en', { maximumSignificantDigits: size < 10 ? 2 : 3 })} ${unit}`
}

/** How a file is read, in a few words: `CSV, semicolon, UTF-8`. */
export const dialectWords = (dialect: Dialect) => {
  if (dialect.format === 'jsonl') return formatLabels.jsonl
  if (dialect.format === 'xlsx') return `${formatLabels.xlsx}, sheet “${dialect.sheet}”`
  return `CSV, ${separatorLabels[dialect.separator].toLowerCase()}, ${encodingLabels[dialect.encoding]}`
}

/** `3 founders added`, or `9,000 notes added to 3,000 records`. */
export const addedBy = ({ kind, counts: { created, notes = 0, records = 0 } }: Pick<Import, 'kind' | 'counts'>) =>
  kind === 'note'
    ? `${countOf(notes, 'note')} added to ${countOf(records, 'record')}`
    : `${recordsOf(kind, created)} added`
