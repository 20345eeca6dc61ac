import { use, useState } from 'react'
import { drafts } from '#web/lib/drafts.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { editDraft } from './edit-draft.ts'

/** The records that are being edited, as they were when the edit started. */
export type OpenEdits = { records: RecordRow[]; begin: (record: RecordRow) => void; end: (id: string) => void }

/**
 * The cards of a kind that are currently forms. Stored with their drafts, so that they survive another search, a
 * deletion by another fellow, and the end of the session.
 */
export function useOpenEdits({ label, loadForm }: RecordKind, account: string): OpenEdits {
  const place = { account, form: `edits ${label}` }
  const [kept] = useState(() => drafts.read(place))
  // An older version of the page may have stored them in another shape.
  const form = kept === null ? undefined : use(loadForm())
  const [records, setRecords] = useState(() => {
    const read = form?.Record.array().safeParse(kept)
    if (read?.success) return read.data
    drafts.discard(place)
    return []
  })

  const change = (records: RecordRow[]) => {
    if (records.length > 0) drafts.keep(place, records)
    else drafts.discard(place)
    setRecords(records)
  }
  // Reads the stored state, not the rendered one, because two edits may end at the same time.
  const without = (id: string) => ((drafts.read(place) ?? []) as RecordRow[]).filter((record) => record.id !== id)

  return {
    records,
    begin: (record) => change([...without(record.id), record]),
    end: (id) => {
      editDraft.discard(account, id)
      change(without(id))
    },
  }
}
