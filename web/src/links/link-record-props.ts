import type { ComponentType } from 'react'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { useDraft } from '#web/session/use-draft.ts'

/** The record whose links these are. */
export type Own = { kind: RecordKind; id: string; name: string }

export type AddLinkedProps = {
  own: Own
  linkedKind: RecordKind
  name: string
  isOpen: boolean
  /** Called with the added record, or with one that was here already. */
  onAdded: (record: { id: string; name: string }) => void
  onClose: () => void
  onClosed: () => void
}

/** The dialog that adds a record of the other kind. */
export type AddLinked = ComponentType<AddLinkedProps & { onCloseFailed?: () => void }>

export type LinkRecordProps = { own: Own; linkedKind: RecordKind; linkedIds: string[] }

/** Where what is typed into that dialog is stored, and what it is about. */
export const addDraftOf = (own: Own, linkedKind: RecordKind) => ({
  form: `${linkedKind.name} for ${own.id}`,
  about: { what: 'change', kind: own.kind.name, id: own.id, name: own.name } as const,
})

/** What is typed of a new link. `text` is the search, or the name of the chosen record. */
export type LinkDraft = { text: string; chosen: RecordRow | null; role: string }

const nothing: LinkDraft = { text: '', chosen: null, role: '' }

export const useLinkDraft = (own: Own, linkedKind: RecordKind) =>
  useDraft(`link ${linkedKind.name} to ${own.id}`, nothing, {
    ...{ what: 'change', kind: own.kind.name, id: own.id, name: own.name },
  })
