import { CardFinders, MetToo } from '#web/finders/card-finders.tsx'
import { HistoryButton } from '#web/history/history-button.tsx'
import { AddNoteButton } from '#web/notes/add-note-button.tsx'
import { NotesPreview } from '#web/notes/notes-preview.tsx'
import { CardPipeline } from '#web/pipeline/card-pipeline.tsx'
import type { RecordQuery } from '#web/records/cache/record-query.ts'
import type { CardSlots } from '#web/records/card/card-slots.ts'
import { OriginalNotes } from '#web/records/card/original-notes.tsx'
import { RecordCard } from '#web/records/card/record-card.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { RefreshButton } from '#web/records/refresh-button.tsx'
import type { Refreshing } from '#web/records/use-refresh.ts'

type ListedRecordProps = {
  kind: RecordKind
  record: RecordRow
  search: string
  query: RecordQuery
  refreshing: Refreshing
  /** Replaces or adds to the usual parts of the card. */
  slots?: Partial<CardSlots>
}

/** A record in a list: the card of its kind, with its notes and finders, and buttons for a note, history and refresh. */
export const ListedRecord = ({ kind, record, search, query, refreshing, slots }: ListedRecordProps) => (
  <RecordCard
    kind={kind}
    record={record}
    search={search}
    slots={{
      query,
      buttons: (
        <>
          <AddNoteButton kind={kind} record={record} />
          <RefreshButton kind={kind} record={record} refreshing={refreshing} />
        </>
      ),
      history: <HistoryButton kind={kind} record={record} />,
      finders: <CardFinders record={record} />,
      metToo: <MetToo kind={kind} record={record} />,
      pipeline: <CardPipeline record={record} />,
      // One line above fellow notes, so that cards stay low.
      notes: <OriginalNotes record={record} search={search} lines={record.notesCount > 0 ? 1 : 2} />,
      fellowNotes: record.notesCount > 0 && !slots?.isForm && <NotesPreview kind={kind} record={record} />,
      ...slots,
    }}
  />
)
