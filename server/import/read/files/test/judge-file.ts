import type { CsvDialect } from '#contract/import-file.ts'
import type { FileRow } from '#server/import/read/files/row.ts'
import { textSample } from '#server/import/read/files/text.ts'
import type { PollutedFile, TrueRow } from './polluted-files.ts'
import { readAll } from './read-all.ts'

/** Rows that came out wrong in silence, and whether all rows came out right. */
export type Judgement = { silent: string[]; isAllRight: boolean }

/** Compares what is read with what the file should have said. The encoding may be guessed wrongly if the file is marked. */
export async function judgeFile(polluted: PollutedFile): Promise<Judgement> {
  const { file, dialect, header, rows } = polluted
  const guessed = await readAll(file)
  const decoded = (encoding: CsvDialect['encoding']) => textSample(file, encoding, file.length)
  if (guessed.dialect.format !== 'csv') return { silent: ['format'], isAllRight: false }
  const { encoding } = dialect
  const isMisread = decoded(guessed.dialect.encoding) !== decoded(encoding)
  if (isMisread && !guessed.inspection.encodingSample) return { silent: ['encoding'], isAllRight: false }
  const read = isMisread ? await readAll(file, { ...guessed.dialect, encoding }) : guessed
  if (read.columns.join('\n') !== header.join('\n')) return { silent: [`header ${read.columns}`], isAllRight: false }
  const { silent, right } = judgeRows(rows, read.rows)
  return { silent, isAllRight: !isMisread && silent.length === 0 && right === rows.length }
}

const isFlagged = ({ error, marks }: FileRow) => error !== undefined || marks !== undefined

function judgeRows(rows: TrueRow[], read: FileRow[]) {
  const silent: string[] = []
  const left = new Set(rows)
  let right = 0
  for (const row of read) {
    const truth = row.error === undefined && rows.find((one) => left.has(one) && isSame(one.values, row.values))
    if (truth) {
      left.delete(truth)
      right += 1
    } else if (!isFlagged(row)) silent.push(`read ${row.row}: ${JSON.stringify(row.values)}`)
  }
  for (const { values, row: number } of left) {
    const name = values.find((value) => / \d+$/.test(value)) ?? ''
    const isSeen = read.some((row) => isFlagged(row) && (row.row === number || row.values.join('\n').includes(name)))
    if (!isSeen) silent.push(`lost ${number}: ${JSON.stringify(values)}`)
  }
  return { silent, right }
}

/** Equal but for spaces around values, and for a stray quotation mark that stays in its place. */
function isSame(values: string[], read: string[]): boolean {
  const text = (list: string[]) => list.map((value) => value.trim()).join('\0')
  const [one, other] = [text(values), text(read)]
  if (one === other) return true
  if (other.length !== one.length + 1) return false
  let at = 0
  while (other[at] === one[at]) at += 1
  return other[at] === '"' && other.slice(0, at) + other.slice(at + 1) === one
}
