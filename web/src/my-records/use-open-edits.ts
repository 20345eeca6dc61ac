import { use, useState } from 'react'
import { drafts } from '#web/lib/drafts.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { editDraft } from './edit-draft.ts'

/** The records that are being edited, as they were when that began. */
export type OpenEdits = { records: RecordRow[]; begin: (record: RecordRow) => void; end: (id: string) => void }

/**
 * Which cards of a kind are forms at the moment. Kept with what is typed into them, so that neither another search, nor a
 * deletion elsewhere, nor the end of the session takes it away.
 */
export function useOpenEdits({ label, loadForm }: RecordKind, account: string): OpenEdits {
  const place = { account, form: `edits ${label}` }
  const [kept] = useState(() => drafts.read(place))
  // Another build of the page may have kept them, in a shape of its own.
  const form = kept === null ? undefined : use(loadForm())
  const [records, setRecords] = useState(() => {
    const read = form?.Record.array().safeParse(kept)
    if (read?.success) return read.data
    drafts.drop(place)
    return []
  })

  const change = (records: RecordRow[]) => {
    if (records.length > 0) drafts.keep(place, records)
    else drafts.drop(place)
    setRecords(records)
  }
  // As it is kept now, not as it was drawn last: two may end at once.
  const without = (id: string) => ((drafts.read(place) ?? []) as RecordRow[]).filter((record) => record.id !== id)

  return {
    records,
    begin: (record) => change([...without(record.id), record]),
    end: (id) => {
      editDraft.drop(account, id)
      change(without(id))
    },
  }
}
