import type { Dialect } from '#contract/import-file.ts'
import type { InspectedFile } from '#server/import/read/files/inspect.ts'
import type { FileRow } from '#server/import/read/files/row.ts'

// What the server and its process for reading files send each other: one question at a time, and its answer.

export type Question =
  | { act: 'inspect'; path: string; dialect: Dialect | undefined }
  /** `after` is the number of rows that have been read before. */
  | { act: 'rows'; path: string; dialect: Dialect; after: number }

/** A file whose columns can be read. With an `error` its rows cannot, and a person can choose another dialect. */
export type Inspected = InspectedFile & { error?: string }

export type Rows = { rows: FileRow[]; isOver: boolean }

export type Answer =
  | { inspected: Inspected }
  | Rows
  /** A sentence for the person who uploaded the file. */
  | { unreadable: string }
  /** An error of ours. */
  | { fault: string }

/** The most rows, and about the most characters, of one answer. The server takes it apart in a few milliseconds. */
export const ANSWER_ROWS = 1_000
export const ANSWER_LENGTH = 1_000_000
