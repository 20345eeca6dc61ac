import { isReadable } from '#contract/plain-text.ts'

/**
 * A row of a file. `row` is its line, or its row of the sheet, counted from 1. A row with an `error` cannot be imported;
 * its values are the readable ones. `marks` are sentences about a row that is imported.
 */
export type FileRow = { row: number; values: string[]; error?: string; marks?: string[] }

/** A longer row is an error: one record is far below this, and a row is held in memory. Counted in UTF-16 code units. */
export const ROW_LENGTH_MAX = 2_000_000

export const TOO_LONG = `This row is longer than ${ROW_LENGTH_MAX.toLocaleString('en')} characters`

export const isBlank = (values: string[]) => values.every((value) => value.trim() === '')

/** Replaces characters that PostgreSQL cannot store by U+FFFD. */
export const storable = (text: string) => (isReadable(text) ? text : text.toWellFormed().replaceAll('\0', '\ufffd'))
