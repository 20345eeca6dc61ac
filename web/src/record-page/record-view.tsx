import { Button, Paper } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconPencil } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Suspense, useDeferredValue } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import type { Field } from '#contract/fields.ts'
import type { RecordPatch } from '#contract/record.ts'
import { useRecordLink } from '#web/filled/use-link.ts'
import { historyKey } from '#web/history/api.ts'
import { HistoryList } from '#web/history/history-list.tsx'
import type { PutBack } from '#web/history/put-back.ts'
import { EditForm } from '#web/my-records/edit-form.tsx'
import { useEditInPlace } from '#web/my-records/use-edit-in-place.ts'
import { type OpenEdits, useOpenEdits } from '#web/my-records/use-open-edits.ts'
import { conflictOf } from '#web/my-records/use-record-changes.ts'
import type { NoteBoxProps } from '#web/notes/note-box.tsx'
import { NoteThread } from '#web/notes/note-thread.tsx'
import { useNotes } from '#web/notes/use-notes.ts'
import { PipelinePrompts } from '#web/pipeline/prompts/pipeline-prompts.tsx'
import { ProposalBar } from '#web/proposals/proposal-bar.tsx'
import { getRecord, updateRecord } from '#web/records/api.ts'
import { changeInLists } from '#web/records/cache/list-cache.ts'
import { OriginalNotes } from '#web/records/card/original-notes.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { valueIn } from '#web/records/record-values.ts'
import { getRights } from '#web/session/api.ts'
import { useCurrentUser, useOwner } from '#web/session/use-current-user.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import { useKeysWait } from '#web/ui/keys/waiting-keys.ts'
import { grouped } from '#web/ui/shown-count.ts'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import { correctRecord } from './api.ts'
import { RecordAside } from './record-aside.tsx'
import { RecordHead } from './record-head.tsx'
import { RecordNav } from './record-nav.tsx'
import classes from './record-page.module.css'
import type { PartProps } from './record-part.tsx'
import { RecordPart } from './record-part.tsx'

const LazyBox = lazyPart(
  'The box for a new note could not be loaded.',
  async () => (await import('#web/notes/note-box.tsx')).NoteBox,
)

const ProposedActs = lazyPart(
  'What the link proposes could not be loaded.',
  async () => (await import('#web/proposals/proposed-acts.tsx')).ProposedActs,
)

/** Its schema would delay the page. */
const NoteBox = (props: NoteBoxProps) => <LazyBox {...props} fallback={<div className={classes.noteBox} />} />

/** The notes on a phone before *Show all*. */
const FIRST_NOTES = 3

/** A record with everything that is known about it. */
export function RecordView({ kind, record }: { kind: RecordKind; record: RecordRow }) {
  useDocumentTitle(record.name)
  const user = useCurrentUser()
  const owner = useOwner()
  const { data: rights } = useQuery(getRights)
  const props = { kind, record, account: owner }
  const edits = useOpenEdits(kind, owner)
  const link = useRecordLink(kind, record.id)
  const { note } = link.values
  const linked = note === undefined ? undefined : { text: note, drop: () => link.drop('note') }
  const notes = useNotes({ kind, id: record.id, record }, user, linked)
  const putBack = usePutBack(kind, record)
  const isPhone = useIsPhone()
  const isWhole = useDeferredValue(true, useRestoresScroll())
  useKeysWait(!isWhole)
  return (
    <div className={classes.page}>
      <RecordNav kind={kind} id={record.id} />
      <ProposalBar />
      <PipelinePrompts isPreloaded />
      {Object.keys(link.values).length > 0 && <ProposedActs {...{ kind, record }} />}
      <RecordHead {...props} edits={edits} />
      {isWhole && (
        <div className={classes.columns}>
          <div className={classes.main}>
            <RecordNotes {...props} edits={edits} />
            <RecordPart title={notes.total ? `Fellow notes (${grouped(notes.total)})` : 'Fellow notes'} isFlush>
              <NoteThread
                notes={notes}
                Box={NoteBox}
                user={user}
                expected={record.notesCount}
                deletesAll={rights?.deleteNotes.allowed}
                loadsOnScroll={false}
                first={isPhone ? FIRST_NOTES : undefined}
              />
            </RecordPart>
          </div>
          <div className={classes.aside}>
            <RecordAside {...props} />
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
      )}
    </div>
  )
}

/** Whether the page is shown again, by Back or a reload. Then the whole of it must be there at once. */
const useRestoresScroll = () => {
  const isFirst = useLocation().key === 'default'
  return useNavigationType() === NavigationType.Pop && !isFirst
}

/** Restores the value that a field had before a change. */
function usePutBack(kind: RecordKind, record: RecordRow): PutBack {
  const { mutate, isPending } = useMutation({
    mutationFn: ({ field, before }: { field: Field; before: string | number }) => {
      const { version } = record
      if (field.editableBy.includes('put'))
        return updateRecord(kind, record.id, { [field.name]: before, version } as RecordPatch)
      const [texts, was] = [{ [field.name]: String(before) }, { [field.name]: valueIn(record, field) }]
      return correctRecord(kind, record.id, { texts, was, version })
    },
    onSuccess: (saved, { field }, _nothing, { client }) => {
      changeInLists(client, kind, saved.id, saved)
      client.setQueryData(getRecord(kind, saved.id).queryKey, saved)
      void client.invalidateQueries({ queryKey: historyKey(saved.id) })
      toasts.success(`Put back the ${field.label} of ${saved.name}`)
    },
    onError: (failure, _change, _nothing, { client }) => {
      const current = conflictOf(failure)
      if (!current) return toasts.failure(failure, 'Failed to put it back')
      changeInLists(client, kind, record.id, current)
      client.setQueryData(getRecord(kind, record.id).queryKey, current)
      toasts.error(`${current.name} has just been changed by someone else. Check it, then put the value back.`)
    },
  })
  return { record, isBusy: isPending, start: (field, before) => mutate({ field, before }) }
}

const LINES = 12

/** The record's own notes. With the rating, they become the form of My Records. */
function RecordNotes({ kind, record, account, edits }: PartProps & { edits: OpenEdits }) {
  const { isEditing, hasEdited, conflict, edit, leave, save } = useEditInPlace(kind, record, edits)
  const notes = <OriginalNotes record={record} search="" lines={LINES} />
  return (
    <Paper withBorder className={classes.part}>
      {isEditing ? (
        <Suspense fallback={notes}>
          <EditForm
            kind={kind}
            record={record}
            account={account}
            conflict={conflict}
            takesFocus={hasEdited}
            onSave={(patch) => save(record, patch)}
            onLeave={leave}
          />
        </Suspense>
      ) : (
        <>
          {notes}
          {record.can.edit && (
            <Button
              ref={hasEdited ? focusWhenShown : null}
              variant="subtle"
              size="compact-sm"
              className={classes.edit ?? ''}
              leftSection={<IconPencil size={16} stroke={1.5} />}
              onClick={edit}
            >
              Edit notes and rating
            </Button>
          )}
        </>
      )}
    </Paper>
  )
}
