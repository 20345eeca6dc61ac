import { type DraftPlace, drafts } from '#web/lib/drafts.ts'
import type { FormValues } from '#web/records/form/record-form.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'

/** The values in the form of a card, and the version of the record that they are based on. */
type EditDraft = { values: FormValues; version: number }

const placeOf = (account: string, id: string) => ({ account, form: `edit ${id}` })

export const editDraft = {
  /** Undefined if there is none, or if its fields differ from `fields`, as after an update of the product. */
  read: (account: string, id: string, fields: FormValues): EditDraft | undefined => {
    const { values, version } = (drafts.read(placeOf(account, id)) ?? {}) as Partial<EditDraft>
    const isWhole = Object.entries(fields).every(([name, value]) => typeof values?.[name] === typeof value)
    return values && isWhole && typeof version === 'number' ? { values, version } : undefined
  },
  keep: (account: string, kind: string, { id, name }: { id: string; name: string }, draft: EditDraft) =>
    drafts.keep(placeOf(account, id), draft, { what: 'change', kind, id, name }),
  discard: (account: string, id: string) => drafts.discard(placeOf(account, id)),
}

type Labelled = Pick<RecordKind, 'label'>

/** Where the records of a kind that are being edited are stored, as they were when the edit started. */
export const openEditsPlace = (account: string, { label }: Labelled): DraftPlace => ({
  account,
  form: `edits ${label}`,
})

const listOpen = (account: string, kind: Labelled) => (drafts.read(openEditsPlace(account, kind)) ?? []) as RecordRow[]

/** Stores which records are being edited, and returns them. */
const keepOpen = (account: string, kind: Labelled, records: RecordRow[]) => {
  if (records.length > 0) drafts.keep(openEditsPlace(account, kind), records)
  else drafts.discard(openEditsPlace(account, kind))
  return records
}

const without = (records: RecordRow[], id: string) => records.filter((record) => record.id !== id)

/** Each returns the records that are being edited then: the stored ones, because two edits may end at the same time. */
export const openEdits = {
  begin: (account: string, kind: Labelled, record: RecordRow) =>
    keepOpen(account, kind, [...without(listOpen(account, kind), record.id), record]),

  end: (account: string, kind: Labelled, id: string) => {
    editDraft.discard(account, id)
    return keepOpen(account, kind, without(listOpen(account, kind), id))
  },
}
