import { use, useState } from 'react'
import { drafts } from '#web/lib/drafts.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { openEdits, openEditsPlace } from './edit-draft.ts'

/** The records that are being edited, as they were when the edit started. */
export type OpenEdits = { records: RecordRow[]; begin: (record: RecordRow) => void; end: (id: string) => void }

/**
 * The cards of a kind that are currently forms. Stored with their drafts, so that they survive another search, a
 * deletion by another fellow, and the end of the session.
 */
export function useOpenEdits(kind: RecordKind, account: string): OpenEdits {
  const place = openEditsPlace(account, kind)
  const [kept] = useState(() => drafts.read(place))
  // An older version of the page may have stored them in another shape.
  const form = kept === null ? undefined : use(kind.loadForm())
  const [records, setRecords] = useState(() => {
    const read = form?.Record.array().safeParse(kept)
    if (read?.success) return read.data
    drafts.discard(place)
    return []
  })
  return {
    records,
    begin: (record) => setRecords(openEdits.begin(account, kind, record)),
    end: (id) => setRecords(openEdits.end(account, kind, id)),
  }
}
