import { auditActions } from '#contract/audit-actions.ts'
import type { Wording } from '#contract/audit-entry.ts'
import type { HistoryChange, HistoryEntry } from '#contract/history.ts'
import { type PipelineColumn, pipelineFields } from '#contract/pipeline-fields.ts'
import { OTHER_RECORD } from '#contract/plain-text.ts'
import type { Facts } from '#server/db/schema.ts'
import { nameOfProvider } from '#server/enrichment/providers/list.ts'
import type { RecordHistoryRow } from './store.ts'

/** The history as fellows may see it: only the named fields of the record, and no network addresses. */
export function presentHistory(fields: readonly string[], row: RecordHistoryRow): HistoryEntry {
  const { shows, sentence } = auditActions[row.action]
  const changes =
    shows === 'note'
      ? changesOfNote(row)
      : [...changesOf(shows === undefined ? fields : [shows], row), ...changesOfPipeline(row)]
  return {
    id: row.id,
    at: row.createdAt.toISOString(),
    by: row.by,
    ...(row.token !== null && { token: row.token }),
    action: row.action,
    sentence: sentence(wordingOf(row, changes)),
    changes,
    ...(row.otherId !== null && { other: { id: row.otherId, name: row.otherName } }),
    ...(typeof row.detail?.notice === 'string' && { notice: row.detail.notice }),
    ...(row.action === 'merge' && {
      merge: { id: String(row.detail?.mergeId), duplicateId: String(row.detail?.duplicateId) },
    }),
    ...(typeof row.detail?.bulkId === 'string' && {
      bulk: { id: row.detail.bulkId, isUndo: row.detail.isUndo === true },
    }),
    ...(isTexts(row.detail?.hints) && { hints: row.detail.hints }),
  }
}

/** The record is `this record`, and the page shows the values. */
const wordingOf = ({ objectId, detail }: RecordHistoryRow, changes: HistoryChange[]): Wording => ({
  ...{ of: (word = 'this record') => word, at: () => '', other: (word = OTHER_RECORD) => word },
  ...{ isEmpty: changes.length === 0, isDuplicate: detail?.duplicateId === objectId },
  ...{ kind: null, before: {}, after: {}, detail: {} },
  pipeline: Object.fromEntries(changes.map(({ field, after }) => [field, after === null ? null : String(after)])),
})

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string')

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
