import type { FastifyReply } from 'fastify'
import { FORMULA_START } from '#contract/formulas.ts'

// Lines of comma-separated values (RFC 4180).

/** Text that a spreadsheet would run as a formula. Quoting does not prevent that; a leading apostrophe does. */
const FORMULA = new RegExp(`^[\\s"]*(?:${FORMULA_START}|\\0)`)

const cell = (value: unknown): string => {
  const text =
    value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return quotedCell(FORMULA.test(text) ? `'${text}` : text)
}

/** A cell that holds exactly this text. */
export const quotedCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** One line, without its line ending. */
export const csvLine = (values: unknown[]): string => values.map(cell).join(',')

/** A whole file of lines. Spreadsheets know its encoding by the mark at its beginning. */
export const csvFile = (lines: readonly unknown[][]): string =>
  `\uFEFF${lines.map((line) => `${csvLine(line)}\r\n`).join('')}`

export const sendCsv = (reply: FastifyReply, name: string, text: string) =>
  reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${name}"`).send(text)
