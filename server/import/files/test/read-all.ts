import type { Dialect } from '#contract/import.ts'
import { guessDialect } from '../guess.ts'
import { readColumns, readRows } from '../read.ts'
import type { FileRow } from '../row.ts'
import { UnreadableFile } from '../unreadable-file.ts'

/** All of a file, with its dialect guessed or given. */
export async function readAll(content: string | Buffer, given?: Dialect) {
  const file = Buffer.from(content)
  const dialect = given ?? (await guessDialect(file))
  const columns = await readColumns(file, dialect)
  const rows: FileRow[] = []
  for await (const row of readRows(file, dialect)) rows.push(row)
  return { dialect, columns, rows, values: rows.map(({ values }) => values), errors: rows.map(errorOf) }
}

const errorOf = (row: FileRow) => ('error' in row ? row.error : null)

/** The sentence with which a file is refused. */
export async function refusalOf(content: string | Buffer, given?: Dialect): Promise<string> {
  try {
    await readAll(content, given)
  } catch (error) {
    if (error instanceof UnreadableFile) return error.message
    throw error
  }
  return 'The file was read'
}
