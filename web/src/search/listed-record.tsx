import { HistoryButton } from '#web/history/history-button.tsx'
import { NotesPreview } from '#web/notes/notes-preview.tsx'
import type { CardSlots } from '#web/records/card-slots.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { OriginalNotes } from '#web/records/original-notes.tsx'
import type { RecordRow } from '#web/records/record-row.ts'
import { RefreshButton } from '#web/records/refresh-button.tsx'
import type { Refreshing } from '#web/records/use-refresh.ts'

type ListedRecordProps = {
  kind: RecordKind
  record: RecordRow
  search: string
  refreshing: Refreshing
  /** Replaces or adds to the usual parts of the card. */
  slots?: Partial<CardSlots>
}

/** A record in a list: the card of its kind, with buttons for history and refresh, and its notes. */
export const ListedRecord = ({ kind, record, search, refreshing, slots }: ListedRecordProps) => (
  <kind.Card
    record={record}
    search={search}
    slots={{
      buttons: (
        <>
          <HistoryButton kind={kind} record={record} />
          <RefreshButton kind={kind} record={record} refreshing={refreshing} />
        </>
      ),
      notes: <WrittenNotes kind={kind} record={record} search={search} />,
      ...slots,
    }}
  />
)

type WrittenNotesProps = Pick<ListedRecordProps, 'kind' | 'record' | 'search'>

/** The record's own notes, and the newest fellow notes. */
export const WrittenNotes = ({ kind, record, search }: WrittenNotesProps) => (
  <>
    <OriginalNotes record={record} search={search} />
    <NotesPreview kind={kind} record={record} />
  </>
)
