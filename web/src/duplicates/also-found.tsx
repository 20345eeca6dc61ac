import { Anchor, Button, Paper, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Similar } from '#contract/duplicates.ts'
import { deleteFinder } from '#web/finders/api.ts'
import { addNote } from '#web/notes/api.ts'
import { NoteBox } from '#web/notes/note-box.tsx'
import { inputOf, NO_NOTE, type TypedNote } from '#web/notes/typed-note.ts'
import { paths } from '#web/paths.ts'
import type { FormValues } from '#web/records/form/record-form.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import classes from './also-found.module.css'

type AlsoFoundProps = {
  kind: RecordKind
  record: Similar
  account: string
  /** What was typed into the form. */
  values: FormValues
  /** The typed notes are on the record now, so the form may forget them. */
  onNoted: () => void
  onTakenBack: () => void
  onAddAnother: () => void
}

/** In place of an add form, after *I met them too*: where the record is, and what becomes of the typed notes. */
export const AlsoFound = ({ kind, record, account, values, onNoted, onTakenBack, onAddAnother }: AlsoFoundProps) => {
  const { id, name } = record
  const [typed, setTyped] = useState<TypedNote>({ ...NO_NOTE, text: String(values.notes).trim() })
  const box = useRef<HTMLTextAreaElement>(null)
  const heading = useId()
  const note = useMutation(addNote({ kind, id }, account))
  const takeBack = useMutation(deleteFinder(kind, id))
  const isOffered = String(values.notes).trim() !== '' && !note.isSuccess
  const isBusy = note.isPending || takeBack.isPending

  const addAnother = async () => {
    if (!isOffered || typed.text.trim() === '' || (await confirm(discardNote))) onAddAnother()
  }

  return (
    <Paper component="section" withBorder className={classes.root} aria-labelledby={heading}>
      <Title order={2} id={heading} ref={focusWhenShown} tabIndex={-1}>
        You met <bdi>{name}</bdi> too
      </Title>
      <p>
        {'You are among the finders, and the record is in '}
        <Anchor
          component={Link}
          inherit
          underline="always"
          to={`${paths.myRecords}?${new URLSearchParams({ search: name })}`}
        >
          My Records
        </Anchor>
        {' now.'}
      </p>
      {isOffered && (
        <div className={classes.note}>
          <p className={classes.text}>
            Add what you typed as a note for the other fellows? The other fields of the form are not kept.
          </p>
          <NoteBox
            ref={box}
            note={typed}
            setNote={setTyped}
            add={(typed) => !isBusy && note.mutate({ typed, input: inputOf(typed) }, { onSuccess: onNoted })}
            isGone={false}
          />
        </div>
      )}
      <p role="status" className={note.isSuccess ? undefined : 'visually-hidden'}>
        {note.isSuccess && 'Your note was added.'}
      </p>
      <div className={classes.acts}>
        <Button variant={isOffered ? 'default' : 'filled'} onClick={addAnother} disabled={isBusy}>
          Add someone else
        </Button>
        {!note.isSuccess && (
          <Button
            variant="subtle"
            disabled={isBusy}
            onClick={() => takeBack.mutate(undefined, { onSuccess: onTakenBack })}
          >
            Take it back
          </Button>
        )}
      </div>
    </Paper>
  )
}

const discardNote = {
  title: 'Discard your notes?',
  text: 'What you typed as notes is not on the record yet, and will be lost.',
  confirm: 'Discard',
  cancel: 'Keep editing',
}
