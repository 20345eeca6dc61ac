import type { Dialect, Inspection } from '#contract/import.ts'
import { guessDialect } from './guess.ts'
import { readColumns, readRows } from './read.ts'

/** The number of different values of a column that help a person to recognise it. */
const SAMPLES = 3

/** A file as it is read: its dialect, the names of its columns in order, and what one pass over it has shown. */
export type InspectedFile = { dialect: Dialect; columns: string[]; inspection: Inspection }

/** Reads the whole file once. Guesses the dialect unless it is given. Throws `UnreadableFile`. */
export async function inspectFile(file: Buffer, given?: Dialect): Promise<InspectedFile> {
  const dialect = given ?? (await guessDialect(file))
  const columns = await readColumns(file, dialect)
  const samples = columns.map((): string[] => [])
  let rows = 0
  for await (const { values } of readRows(file, dialect)) {
    rows += 1
    for (const [at, value] of values.entries()) {
      const known = samples[at]
      if (known && known.length < SAMPLES && value.trim() !== '' && !known.includes(value)) known.push(value)
    }
  }
  const constant = rows < 2 ? [] : samples.flatMap((known, at) => (known.length === 1 ? [at] : []))
  return { dialect, columns, inspection: { samples, rows, constant, dates: {}, isCertain: given !== undefined } }
}
