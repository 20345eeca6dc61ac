import type { HistoryChange, HistoryEntry } from '#contract/history.ts'
import { RATING_MAX } from '#contract/limits.ts'
import { capital } from '#contract/plain-text.ts'
import type { FieldLabels } from '#web/records/provenance-words.ts'

/** The actor of an entry without a person. */
export const PRODUCT = 'Sourcebook'

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
    case 'add-note':
      return isEmpty ? 'added a note, which has been deleted' : 'added a note'
    case 'update-note':
      return 'edited a note'
    case 'delete-note':
      return 'deleted a note'
    case 'merge':
      return merge?.duplicateId === id ? 'merged this record into another one' : 'merged a duplicate into this record'
    case 'undo-merge':
      return 'undid the merge'
    case 'add-finder':
      return 'met them too'
    case 'delete-finder':
      return 'took back having met them'
    case 'dismiss-duplicate':
      return 'marked another record as not the same'
    case 'undo-dismissal':
      return 'marked another record as possibly the same again'
  }
}

/** The hints and the notice of a refresh: `With the hint company “Acme”. No public data found.` */
export const remarkOf = ({ hints = {}, notice }: HistoryEntry): string => {
  const given = Object.entries(hints).map(([name, value]) => `${name} “${value}”`)
  const sentences = [...(given.length > 0 ? [`With the hint ${given.join(', ')}`] : []), ...(notice ? [notice] : [])]
  return sentences.map((sentence) => `${sentence}.`).join(' ')
}

/** Typed fields use their own names as labels, except for this one. */
const typed: FieldLabels = { linkedIn: 'LinkedIn' }

export const fieldLabel = (field: string, labels: FieldLabels) => labels[field] ?? typed[field] ?? field

/** A change for display. A picture has only a name, because its address means nothing to a person. */
export type ShownChange = { label: string; before: string | null; after: string | null; source: string | undefined }

/** The changes to display. For a new record only notes and rating, because the rest is on its card. */
export const shownChanges = ({ action, changes }: HistoryEntry, labels: FieldLabels): ShownChange[] =>
  changes
    .filter(({ field }) => action !== 'create' || field === 'notes' || field === 'rating')
    .map((change) => ({
      label: capital(fieldLabel(change.field, labels)),
      before: shownValue(change, change.before),
      after: shownValue(change, change.after),
      source: change.source,
    }))

const shownValue = ({ field }: HistoryChange, value: string | number | null): string | null => {
  if (value === null) return null
  if (field === 'profile_picture_url') return null
  return field === 'rating' ? `${value}/${RATING_MAX}` : String(value)
}

/** The merge that can be undone: the newest one that is not undone. Each undo belongs to the newest merge before it. */
export function undoableMerge(newestFirst: HistoryEntry[], id: string): HistoryEntry | undefined {
  let undone = 0
  for (const entry of newestFirst) {
    if (entry.action === 'undo-merge') undone += 1
    if (entry.action !== 'merge') continue
    if (undone === 0) return entry.merge?.duplicateId === id ? undefined : entry
    undone -= 1
  }
  return undefined
}
