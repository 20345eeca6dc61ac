import type { Dialect } from '#contract/import-file.ts'
import { inspectFile } from '#server/import/read/files/inspect.ts'
import { readRows } from '#server/import/read/files/read.ts'
import type { FileRow } from '#server/import/read/files/row.ts'
import { UnreadableFile } from '#server/import/read/files/unreadable-file.ts'

/** Reads a whole file, with a guessed or given dialect. */
export async function readAll(content: string | Buffer, given?: Dialect) {
  const file = Buffer.from(content)
  const { dialect, columns, inspection } = await inspectFile(file, given)
  const rows: FileRow[] = []
  for await (const row of readRows(file, dialect)) rows.push(row)
  return { dialect, columns, inspection, rows, values: rows.map(({ values }) => values), errors: rows.map(errorOf) }
}

const errorOf = ({ error }: FileRow) => error ?? null

/** The sentence of the refusal of a file. */
export async function refusalOf(content: string | Buffer, given?: Dialect): Promise<string> {
  try {
    await readAll(content, given)
  } catch (error) {
    if (error instanceof UnreadableFile) return error.message
    throw error
  }
  return 'The file was read'
}
