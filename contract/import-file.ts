import { z } from 'zod'

// How a file of an import is read, and what one reading has shown.

/** The encodings of text files, by their `TextDecoder` names, and UTF-8 whose letters were encoded twice. */
export const importEncodings = [
  'utf-8',
  'utf-8-twice',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'macintosh',
  'shift_jis',
  'gb18030',
] as const

export const importSeparators = [',', ';', '\t', '|'] as const

const HEADER_RULE = 'Choose the row that holds the names of the columns'
const headerRow = z
  .number({ error: HEADER_RULE })
  .int(HEADER_RULE)
  .min(0, HEADER_RULE)
  .max(1_048_576, HEADER_RULE)
  .meta({
    description:
      'The row of the column names, counted from 1 as in a spreadsheet; rows above it are ignored. 0: the first row is data, and columns are named `Column 1`, `Column 2`, …',
  })

const CsvDialect = z.object({
  format: z.literal('csv'),
  encoding: z.enum(importEncodings, { error: 'Choose an encoding from the list' }),
  separator: z.enum(importSeparators, { error: 'Choose a separator from the list' }),
  headerRow,
})
export type CsvDialect = z.infer<typeof CsvDialect>

const XlsxDialect = z.object({
  format: z.literal('xlsx'),
  sheet: z.string({ error: 'Choose a sheet' }).max(200, 'Choose a sheet'),
  sheets: z.array(z.string().max(200)).max(1000),
  headerRow,
  encoding: z
    .enum(['utf-8', 'utf-8-twice'], { error: 'Choose an encoding from the list' })
    .optional()
    .meta({ description: 'Absent where no text of the sheet was encoded twice, or it was not looked for' }),
})
export type XlsxDialect = z.infer<typeof XlsxDialect>

/** JSON Lines as the export writes them: one object per line. */
const JsonlDialect = z.object({ format: z.literal('jsonl') })

/** The options for reading a file. The server guesses them, and the person can change them. */
export const Dialect = z.discriminatedUnion('format', [CsvDialect, XlsxDialect, JsonlDialect], {
  error: 'Choose a file format from the list',
})
export type Dialect = z.infer<typeof Dialect>

/** What one pass over a file shows. Columns are counted from 0. */
export type Inspection = {
  /** The first different values of each column, at most three. */
  samples: string[][]
  /** The number of rows below the header, without empty ones. */
  rows: number
  /** The columns with the same value in all rows. */
  constant: number[]
  /** The columns with dates such as 03/04/2026, by number: the order that their values prove, and an example. */
  dates: Record<string, { order: 'day-first' | 'month-first' | 'either'; example: string }>
  /** Whether dialect, sheet and header row are certain. */
  isCertain: boolean
  /** A decoded line of a text file that is not valid Unicode, or of a file that was encoded twice. */
  encodingSample?: string
}
