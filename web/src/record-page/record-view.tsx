import { useDocumentTitle } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { HistoryList } from '#web/history/history-list.tsx'
import { useOpenEdits } from '#web/my-records/use-open-edits.ts'
import { countNotes } from '#web/notes/count-notes.ts'
import type { NoteBoxProps } from '#web/notes/note-box.tsx'
import { NoteThread } from '#web/notes/note-thread.tsx'
import { useNotes } from '#web/notes/use-notes.ts'
import { PipelineAsks } from '#web/pipeline/pipeline-asks.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { getRights } from '#web/session/api.ts'
import { useCurrentUser, useOwner } from '#web/session/use-current-user.ts'
import { later } from '#web/ui/later.tsx'
import { Neighbours } from './neighbours.tsx'
import { RecordAside } from './record-aside.tsx'
import { RecordFacts } from './record-facts.tsx'
import { RecordNotes } from './record-notes.tsx'
import classes from './record-page.module.css'
import { RecordPart } from './record-part.tsx'
import { usePutBack } from './use-put-back.ts'

const LaterBox = later(
  'The box for a new note could not be loaded.',
  async () => (await import('#web/notes/note-box.tsx')).NoteBox,
)

/** Its schema would delay the page. */
const NoteBox = (props: NoteBoxProps) => <LaterBox {...props} fallback={<div className={classes.noteBox} />} />

/** A record with everything that is known about it. */
export function RecordView({ kind, record }: { kind: RecordKind; record: RecordRow }) {
  useDocumentTitle(record.name)
  const user = useCurrentUser()
  const owner = useOwner()
  const { data: rights } = useQuery(getRights)
  const props = { kind, record, account: owner }
  const edits = useOpenEdits(kind, owner)
  const notes = useNotes({ kind, id: record.id, record }, user)
  const putBack = usePutBack(kind, record)
  return (
    <div className={classes.page}>
      <Neighbours kind={kind} id={record.id} />
      <PipelineAsks />
      <div className={classes.columns}>
        <div className={classes.main}>
          <RecordFacts {...props} />
          <RecordNotes {...props} edits={edits} />
          <RecordPart title={notes.total ? countNotes(notes.total) : 'Notes'} isFlush>
            <NoteThread
              notes={notes}
              Box={NoteBox}
              user={user}
              expected={record.notesCount}
              deletesAll={rights?.deleteNotes.allowed}
              loadsOnScroll={false}
            />
          </RecordPart>
        </div>
        <div className={classes.aside}>
          <RecordAside {...props} edits={edits} />
        </div>
        <div className={classes.history}>
          <RecordPart title="History" isFlush>
            <HistoryList
              subject={{ kind, id: record.id, name: record.name }}
              loadsOnScroll={false}
              putBack={record.can.edit ? putBack : undefined}
            />
          </RecordPart>
        </div>
      </div>
    </div>
  )
}
