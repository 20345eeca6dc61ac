import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { useDraft } from '#web/session/use-draft.ts'

/** The record whose links these are. */
export type Own = { kind: RecordKind; id: string; name: string }

export type LinkRecordProps = { own: Own; linkedKind: RecordKind; linkedIds: string[] }

/** What is typed of a new link. `text` is the search, or the name of the chosen record. */
export type LinkDraft = { text: string; chosen: RecordRow | null; role: string }

const nothing: LinkDraft = { text: '', chosen: null, role: '' }

export const useLinkDraft = (own: Own, linkedKind: RecordKind) =>
  useDraft(`link ${linkedKind.name} to ${own.id}`, nothing, {
    ...{ what: 'change', kind: own.kind.name, id: own.id, name: own.name },
  })
