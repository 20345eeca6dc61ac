import { invalid } from '#server/http/errors.ts'

// Rows are paged by their number in the file.

export const rowCursor = ({ row }: { row: number }): string => Buffer.from(String(row)).toString('base64url')

/** The row of a cursor; undefined without a cursor. Throws the 400 for an invalid one. */
export function rowAfter(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined
  const row = Buffer.from(cursor, 'base64url').toString('latin1')
  if (!/^\d{1,9}$/.test(row)) throw invalid({ cursor: 'This cursor is not valid' })
  return Number(row)
}
