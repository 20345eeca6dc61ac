import { type Field, fieldOf } from '#contract/fields.ts'
import type { HistoryChange } from '#contract/history.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { valueIn } from '#web/records/record-values.ts'

/** Restores values of a record. */
export type PutBack = { record: RecordRow; isBusy: boolean; start: (field: Field, before: string | number) => void }

/** The field of a change and the value before it, if a person may restore it and it differs from the current one. */
export function restorable(
  { field: key, before }: HistoryChange,
  record: RecordRow,
  fields: readonly Field[],
): { field: Field; before: string | number } | undefined {
  const field = fieldOf(fields, key)
  const isEditable = field?.editableBy.some((way) => way === 'put' || way === 'patch')
  if (!field || !isEditable || (before === null && !canBeEmpty(field))) return undefined
  const shown = String(before ?? '')
  return shown === valueIn(record, field) ? undefined : { field, before: before ?? '' }
}

/** Names, notes and ratings are never empty, and no field whose rule requires it. */
const canBeEmpty = ({ name, editableBy, rule }: Field) =>
  name !== 'name' && !editableBy.includes('put') && rule?.isRequired !== true
