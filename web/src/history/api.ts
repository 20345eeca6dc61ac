import type { QueryKey } from '@tanstack/react-query'
import type { FieldLabels } from '#web/records/provenance-words.ts'

// What cards know of history; what it says to the server is in the dialog's own file, `history-list.ts`.

/** Where the history of a kind of record is asked for, and what people call the fields that outside data fills. */
export type HistoryPlace = { path: string; labels: FieldLabels }

/** A record with a history. */
export type Remembered = HistoryPlace & { id: string; name: string }

/** The key of one record's history; no two records of whichever kind share an id. */
export const historyKey = (id: string): QueryKey => ['history', id]
