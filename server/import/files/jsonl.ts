import { EXPORT_COLUMNS } from '#contract/export.ts'
import { type FileRow, ROW_LENGTH_MAX, TOO_LONG } from './row.ts'
import { readText } from './text.ts'

/** The keys of an object of the export, in its order. Lists and objects are given as JSON. */
export const JSONL_COLUMNS: string[] = [...EXPORT_COLUMNS, 'additionalInfo', 'notesThread', 'finders']

export async function* readJsonl(file: Buffer): AsyncGenerator<FileRow> {
  let rest = ''
  let row = 1
  let isSkipping = false
  for await (const piece of readText(file, 'utf-8')) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (!isSkipping) yield parseLine(line, row)
      isSkipping = false
      row += 1
    }
    if (rest.length > ROW_LENGTH_MAX) {
      if (!isSkipping) yield { row, values: [], error: TOO_LONG }
      isSkipping = true
      rest = ''
    }
  }
  if (!isSkipping) yield parseLine(rest, row)
}

const NO_OBJECT = 'This line is not a JSON object'

function parseLine(line: string, row: number): FileRow {
  if (line.trim() === '') return { row, values: [] }
  try {
    const record = parseRecord(line)
    return { row, values: JSONL_COLUMNS.map((column) => asText(record[column])) }
  } catch {
    return { row, values: [line], error: NO_OBJECT }
  }
}

/** The object of a line. Throws if it is something else. */
export function parseRecord(line: string): Record<string, unknown> {
  const value: unknown = JSON.parse(line)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('Not an object')
  return { ...value }
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)

/** Keys whose values are not text. */
const NOT_TEXT = new Set(['rating', 'tags', 'additionalInfo', 'notesThread', 'finders'])

/**
 * Rebuilds a line of the file from its values, with the reason of the refusal. A line that is not an object has no
 * place for a reason, and is returned unchanged.
 */
export function refusedLine(values: string[], faults: { sentence: string }[], reason: string): string {
  if (faults.some(({ sentence }) => sentence === NO_OBJECT)) return `${values[0]}\n`
  const record = JSONL_COLUMNS.map((column, at) => [column, asValue(column, values[at] ?? '')])
  return `${JSON.stringify({ ...Object.fromEntries(record), reason })}\n`
}

function asValue(column: string, text: string): unknown {
  if (text === '') return null
  if (!NOT_TEXT.has(column)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
