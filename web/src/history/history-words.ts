import { type Field, fieldOf } from '#contract/fields.ts'
import type { HistoryChange, HistoryEntry } from '#contract/history.ts'
import { kinds } from '#contract/kinds.ts'
import { RATING_MAX } from '#contract/limits.ts'
import { pipelineFields } from '#contract/pipeline-fields.ts'
import { capital } from '#contract/plain-text.ts'

/** The actor of an entry without a person. */
export const PRODUCT = 'Sourcebook'

/** The place of the other record's name in the text of an action. */
export const OTHER = '{other}'

/** The actions as the end of a sentence that starts with the person's name. */
export const actionText = ({ action, changes, merge }: HistoryEntry, id: string): string => {
  const isEmpty = changes.length === 0
  switch (action) {
    case 'create':
      return 'added this record'
    case 'update':
      return isEmpty ? 'saved it without changes' : 'edited this record'
    case 'enrich':
      return isEmpty ? 'refreshed this record, and nothing changed' : 'refreshed this record'
    case 'delete':
      return 'deleted this record'
    case 'restore':
      return 'brought this record back'
    case 'add-note':
      return isEmpty ? 'added a note, which has been deleted' : 'added a note'
    case 'update-note':
      return 'edited a note'
    case 'delete-note':
      return 'deleted a note'
    case 'merge':
      return merge?.duplicateId === id ? `merged this record into ${OTHER}` : `merged ${OTHER} into this record`
    case 'undo-merge':
      return `undid the merge with ${OTHER}`
    case 'add-finder':
      return 'met them too'
    case 'delete-finder':
      return 'took back having met them'
    case 'add-link':
      return `linked ${OTHER}`
    case 'update-link':
      return `changed the role of the link to ${OTHER}`
    case 'delete-link':
      return `removed the link to ${OTHER}`
    case 'update-pipeline':
      return isEmpty ? 'saved the pipeline without changes' : 'changed the pipeline of this record'
    case 'dismiss-duplicate':
      return 'marked another record as not the same'
    case 'undo-dismissal':
      return 'marked another record as possibly the same again'
  }
}

/**
 * The kind of the other record, if it has a page to link to. A record that was merged into this one has none, until the
 * merge is undone.
 */
export const otherKindOf = ({ action, merge }: HistoryEntry, of: { kind: { name: string }; id: string }) => {
  if (action === 'merge' && merge?.duplicateId !== of.id) return undefined
  return kinds.find(({ name }) => (name === of.kind.name) !== action.endsWith('-link'))
}

/** The hints and the notice of a refresh: `With the hint company “Acme”. No public data found.` */
export const remarkOf = ({ hints = {}, notice }: HistoryEntry): string => {
  const given = Object.entries(hints).map(([name, value]) => `${name} “${value}”`)
  const sentences = [...(given.length > 0 ? [`With the hint ${given.join(', ')}`] : []), ...(notice ? [notice] : [])]
  return sentences.map((sentence) => `${sentence}.`).join(' ')
}

/** The label of a field, of a value of the pipeline, or of a note. */
export const fieldLabel = (key: string, fields: readonly Field[]) =>
  fieldOf(fields, key)?.label ?? pipelineFields.find(({ name }) => name === key)?.label ?? key

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
      label: capital(fieldLabel(change.field, fields)),
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
