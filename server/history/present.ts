import type { HistoryAction, HistoryChange, HistoryEntry } from '#contract/history.ts'
import { type PipelineColumn, pipelineFields } from '#contract/pipeline-fields.ts'
import type { Facts } from '#server/db/schema.ts'
import { nameOfProvider } from '#server/enrichment/providers/list.ts'
import type { RecordHistoryRow } from './store.ts'

/** The history as fellows may see it: only the named fields of the record, and no network addresses. */
export const presentHistory = (fields: readonly string[], row: RecordHistoryRow): HistoryEntry => ({
  id: row.id,
  at: row.createdAt.toISOString(),
  by: row.by,
  action: row.action as HistoryAction,
  changes: isOfNote(row)
    ? changesOfNote(row)
    : [...changesOf(isOfLink(row) ? ['role'] : fields, row), ...changesOfPipeline(row)],
  ...(row.otherId !== null && { other: { id: row.otherId, name: row.otherName } }),
  ...(typeof row.detail?.notice === 'string' && { notice: row.detail.notice }),
  ...(row.action === 'merge' && {
    merge: { id: String(row.detail?.mergeId), duplicateId: String(row.detail?.duplicateId) },
  }),
  ...(isTexts(row.detail?.hints) && { hints: row.detail.hints }),
})

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string')

const isOfLink = ({ action }: RecordHistoryRow) => action.endsWith('-link')

const isOfNote = ({ action }: RecordHistoryRow) => action.endsWith('-note')

/** Shows the content of a note only while the note exists: deleting a note withdraws it. */
const changesOfNote = ({ note }: RecordHistoryRow): HistoryChange[] =>
  note === null ? [] : [{ field: 'note', before: null, after: note }]

const changesOf = (fields: readonly string[], { before, after, detail }: RecordHistoryRow): HistoryChange[] =>
  fields
    .filter((field) => field in { ...before, ...after })
    .map((field) => {
      const provider = (detail?.providers as Facts | undefined)?.[field]
      return {
        field,
        before: plain(before?.[field]),
        after: plain(after?.[field]),
        ...(typeof provider === 'string' && { source: nameOfProvider(provider) }),
      }
    })

const changesOfPipeline = ({ before, after, names }: RecordHistoryRow): HistoryChange[] =>
  pipelineFields
    .filter(({ column }) => column in { ...before, ...after })
    .map(({ name, column }) => ({
      field: name,
      ...{ before: inWords(column, before?.[column], names), after: inWords(column, after?.[column], names) },
    }))

/** A value of the pipeline as people know it. The log has no value for an active record. */
function inWords(column: PipelineColumn, value: unknown, names: RecordHistoryRow['names']): string | null {
  if (column === 'status') return String(value ?? 'active').replaceAll('_', ' ')
  return typeof value === 'string' ? (names?.[value] ?? value) : null
}

/** A value as it is; of an object, such as a headquarters, the first part that is text. */
const plain = (value: unknown): string | number | null => {
  if (typeof value === 'string' || typeof value === 'number') return value
  if (typeof value !== 'object' || value === null) return null
  return Object.values(value).find((part) => typeof part === 'string') ?? null
}
