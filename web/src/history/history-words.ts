import { type Field, fieldOf } from '#contract/fields.ts'
import type { HistoryChange, HistoryEntry } from '#contract/history.ts'
import { kinds } from '#contract/kinds.ts'
import { RATING_MAX } from '#contract/limits.ts'
import { pipelineFields } from '#contract/pipeline-fields.ts'
import { capital } from '#contract/plain-text.ts'

/** The actor of an entry without a person. */
export const PRODUCT = 'Sourcebook'

/**
 * The kind of the other record, if it has a page to link to. A record that was merged into this one has none, until the
 * merge is undone.
 */
export const otherKindOf = ({ action, merge }: HistoryEntry, of: { kind: { name: string }; id: string }) => {
  if (action === 'merge' && merge?.duplicateId !== of.id) return undefined
  return kinds.find(({ name }) => (name === of.kind.name) !== action.endsWith('-link'))
}

/** The hints and the notice of a refresh: `With the hint company “Acme”. No public data found.` */
export const remarkOf = ({ hints = {}, notice, bulk }: HistoryEntry): string => {
  const given = Object.entries(hints).map(([name, value]) => `${name} “${value}”`)
  const together = bulk && (bulk.isUndo ? 'Undone in bulk' : 'Done in bulk')
  const sentences = [
    ...(together ? [together] : []),
    ...(given.length > 0 ? [`With the hint ${given.join(', ')}`] : []),
    ...(notice ? [notice] : []),
  ]
  return sentences.map((sentence) => `${sentence}.`).join(' ')
}

/** The label of a field or of a value of the pipeline. */
export const labelOf = (key: string, fields: readonly Field[]) =>
  fieldOf(fields, key)?.label ?? pipelineFields.find(({ name }) => name === key)?.label

/** A change for display. A picture has only a name, because its address means nothing to a person. */
export type ShownChange = {
  of: HistoryChange
  label: string
  before: string | null
  after: string | null
  source: string | undefined
}

/** The changes to display. For a new record only what an edit may change, because the rest is on its card. */
export const shownChanges = ({ action, changes }: HistoryEntry, fields: readonly Field[]): ShownChange[] =>
  changes
    .filter(({ field }) => action !== 'create' || fieldOf(fields, field)?.editableBy.includes('put'))
    .map((change) => ({
      of: change,
      label: capital(labelOf(change.field, fields) ?? change.field),
      before: shownValue(change, change.before, fields),
      after: shownValue(change, change.after, fields),
      source: change.source,
    }))

const shownValue = (
  { field }: HistoryChange,
  value: string | number | null,
  fields: readonly Field[],
): string | null => {
  if (value === null || fieldOf(fields, field)?.content === 'picture') return null
  return field === 'rating' ? `${value}/${RATING_MAX}` : String(value)
}
