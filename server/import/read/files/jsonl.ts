import { EXPORT_COLUMNS, LINE_COLUMNS } from '#contract/export.ts'
import { type FileRow, ROW_LENGTH_MAX, TOO_LONG } from './row.ts'
import { readText } from './text.ts'

/** The keys of an object of the export, in its order. Lists and objects are given as JSON. */
export const JSONL_COLUMNS: string[] = [
  ...EXPORT_COLUMNS,
  ...['additionalInfo', 'notesThread', 'finders'],
  ...LINE_COLUMNS,
]

export async function* readJsonl(file: Buffer): AsyncGenerator<FileRow> {
  let parts: string[] = []
  let length = 0
  let row = 1
  for await (const piece of readText(file, 'utf-8')) {
    let at = 0
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', at)) {
      yield parseLine([...parts, piece.slice(at, end)].join(''), row, length + end - at)
      ;[parts, length] = [[], 0]
      row += 1
      at = end + 1
    }
    length += piece.length - at
    // A line that is too long is not kept.
    if (length <= ROW_LENGTH_MAX) parts.push(piece.slice(at))
    else parts = []
  }
  yield parseLine(parts.join(''), row, length)
}

const NO_OBJECT = 'This line is not a JSON object'

function parseLine(line: string, row: number, length: number): FileRow {
  if (length > ROW_LENGTH_MAX) return { row, values: [], error: TOO_LONG }
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
