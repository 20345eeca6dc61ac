import type { Field } from '#contract/fields.ts'
import type { Import, ImportOutcome } from '#contract/import.ts'
import type { Dialect } from '#contract/import-file.ts'
import { type KindName, kindNamed } from '#contract/kinds.ts'
import { capital } from '#contract/plain-text.ts'

export const labelOf = (field: Pick<Field, 'label' | 'fileLabel'>): string => field.fileLabel ?? capital(field.label)

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

/** A kind of record in a sentence, with a number: `1 founder`, `2,000 companies`. */
export const recordsOf = (kind: KindName, count: number) => {
  const { label, plural } = kindNamed(kind)
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
