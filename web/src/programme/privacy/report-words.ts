import { keyOf } from '#contract/fields.ts'
import { allFields } from '#contract/kind-fields.ts'
import { capital } from '#contract/plain-text.ts'

// The names of columns and keys in the readable access report. What is not named here is in the words of its name.

const WORDS: Record<string, string> = {
  accountEmail: 'By',
  accountId: 'By',
  action: 'Act',
  additionalInfo: 'Public data',
  at: 'Time',
  authorId: 'Written by',
  authorText: 'Written by, as in the imported file',
  bytes: 'Picture',
  cells: 'Values of the row',
  createdAt: 'Added on',
  createdBy: 'Added by',
  creatorId: 'Added by',
  creatorText: 'Added by, as in the imported file',
  deletedBy: 'Deleted by',
  detail: 'Details',
  enrichedAt: 'Public data last looked up',
  enrichment: 'Where public data comes from',
  faults: 'Reasons for a refusal',
  fellowText: 'Found by, as in the imported file',
  fileName: 'Name of the file',
  id: 'Number',
  importId: 'Import',
  informedAt: 'Informed on',
  informedBy: 'Informed by',
  isImported: 'From an imported file',
  isRated: 'Rated',
  linkedInKey: 'LinkedIn profile',
  marks: 'Sentences about the row',
  notes: 'Original Notes',
  notesEditedAt: 'Notes edited on',
  notesEditedBy: 'Notes edited by',
  objectId: 'Record',
  recordId: 'Record',
  via: 'How',
}

const labels = new Map(
  allFields.flatMap((field) => [field.name, keyOf(field)].map((name) => [name, capital(field.label)] as const)),
)

export const inWords = (name: string): string =>
  WORDS[name] ??
  labels.get(name) ??
  capital(
    name
      .replaceAll(/([A-Z])/g, ' $1')
      .replaceAll(/[_-]/g, ' ')
      .toLowerCase()
      .trim(),
  )

/** The source of a value of public data. */
export const sourceInWords = (provider: string): string => {
  if (provider === 'person') return 'typed by a person of the programme'
  return provider === 'import' ? 'an imported file' : inWords(provider)
}
