import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { dayHere, formatDay } from '#web/lib/dates.ts'
import { type TypedDraft, useDraft } from '#web/session/use-draft.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import type { PanelPartProps } from './panel-props.ts'
import { PanelRow } from './panel-row.tsx'
import classes from './pipeline-panel.module.css'
import { ValueButton, ValueLink } from './value-button.tsx'

/** The day to look again at a record that was passed. */
export function LookAgain(props: PanelPartProps) {
  const { kind, record, pipeline, isBusy, change } = props
  const { lookAgainOn } = pipeline
  const draft = useDraft<string>(`look again ${record.id}`, lookAgainOn ?? '', {
    ...{ what: 'change', kind: kind.name, id: record.id, name: record.name },
  })
  const [isEditing, setEditing] = useState<boolean>()
  const end = () => {
    draft.discard()
    setEditing(false)
  }
  if (pipeline.status !== 'passed') return null
  if (isEditing || draft.isTyped)
    return <LookAgainForm {...props} draft={draft} takesFocus={isEditing === true} onEnd={end} />
  return (
    <PanelRow label="Look again">
      <ValueButton ref={isEditing === false ? focusWhenShown : null} disabled={isBusy} onClick={() => setEditing(true)}>
        <span className="visually-hidden">Change the day to look again: </span>
        {lookAgainOn ? <time dateTime={lookAgainOn}>{formatDay(`${lookAgainOn}T00:00`)}</time> : 'Never'}
      </ValueButton>
      {lookAgainOn && (
        <ValueLink disabled={isBusy} onClick={() => void change({ lookAgainOn: null })}>
          Never
          <span className="visually-hidden"> look again</span>
        </ValueLink>
      )}
    </PanelRow>
  )
}

type LookAgainFormProps = PanelPartProps & {
  draft: TypedDraft<string>
  /** False for a form that was already open when the page loaded. */
  takesFocus: boolean
  onEnd: () => void
}

function LookAgainForm({ record, isBusy, change, draft, takesFocus, onEnd }: LookAgainFormProps) {
  const { cancel, cancelOnEscape } = createCancel({ isTyped: () => draft.isTyped, isBusy, onCancel: onEnd })
  const save = async (event: FormEvent) => {
    event.preventDefault()
    // What was typed stays until it is saved.
    if (await change({ lookAgainOn: draft.values || null })) onEnd()
  }
  return (
    <form
      className={classes.form}
      noValidate
      aria-label={`Look again at ${record.name}`}
      onKeyDown={cancelOnEscape}
      onSubmit={save}
    >
      <TextInput
        ref={takesFocus ? focusWhenShown : null}
        type="date"
        label="Look again on"
        min={dayHere()}
        value={draft.values}
        readOnly={isBusy}
        onChange={({ currentTarget }) => draft.change(currentTarget.value)}
      />
      <div className={classes.buttons}>
        <Button variant="default" size="xs" disabled={isBusy} onClick={cancel}>
          Cancel
        </Button>
        <SubmitButton size="xs" busy={isBusy} label="Save" busyLabel="Saving…" />
      </div>
    </form>
  )
}
