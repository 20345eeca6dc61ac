import { moveLink } from '#web/filled/use-link.ts'
import { type DraftPlace, drafts } from '#web/lib/drafts.ts'
import { openEdits } from '#web/my-records/edit-draft.ts'
import { noteIn } from '#web/notes/note-draft.ts'
import { joinNotes } from '#web/notes/typed-note.ts'
import { recordPath } from '#web/paths.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'

/** Older than the version of any record that a merge has changed: a save then compares with what the survivor has. */
const BEFORE_MERGE = 1

/**
 * Moves what was typed about a merged record to its survivor. A change that meets another change of the same field stays
 * where it is.
 */
export function moveDrafts(account: string, kind: RecordKind, id: string, survivor: RecordRow): void {
  moveLink(account, recordPath(kind, { id }), recordPath(kind, survivor))
  for (const { form, values, about, at } of drafts.list(account)) {
    if (about.id !== id) continue
    const to: DraftPlace = { account, form: form.replace(id, survivor.id) }
    const there = drafts.read(to)
    if (there !== null && about.what !== 'note') continue
    const moved = about.what === 'note' ? joinNotes(noteIn(values), noteIn(there)) : asOutdated(values)
    drafts.keep(to, moved, { ...about, id: survivor.id, mergedInto: survivor.name }, at)
    drafts.discard({ account, form })
    if (form !== `edit ${id}`) continue
    openEdits.end(account, kind, id)
    openEdits.begin(account, kind, survivor)
  }
}

const asOutdated = (values: unknown) =>
  typeof values === 'string' ? values : { ...(values as object), version: BEFORE_MERGE }
