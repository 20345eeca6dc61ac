import { Button, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { NEXT_STEP_MAX } from '#contract/limits.ts'
import { StepDay } from '#web/pipeline/step-line.tsx'
import { type TypedDraft, useDraft } from '#web/session/use-draft.ts'
import { DownloadLink } from '#web/ui/buttons/download-link.tsx'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import { tooLong } from '#web/ui/too-long.ts'
import type { PanelPartProps } from './panel-props.ts'
import { PanelRow } from './panel-row.tsx'
import classes from './pipeline-panel.module.css'
import { ValueButton, ValueLink } from './value-button.tsx'

/** What is to be done next, and when, with its calendar file. */
export function NextStep(props: PanelPartProps) {
  const { kind, record, pipeline, isBusy, change } = props
  const { nextStep, nextOn } = pipeline
  const draft = useDraft(
    `next step ${record.id}`,
    { text: nextStep ?? '', on: nextOn ?? '' },
    { what: 'change', kind: kind.name, id: record.id, name: record.name },
  )
  const [isEditing, setEditing] = useState(false)
  const [hasEdited, setEdited] = useState(false)
  const ref = hasEdited ? focusWhenShown : null
  const begin = () => {
    setEditing(true)
    setEdited(true)
  }

  const end = () => {
    draft.discard()
    setEditing(false)
    setEdited(true)
  }

  if (isEditing || draft.isTyped) return <NextStepForm {...props} draft={draft} takesFocus={isEditing} onEnd={end} />
  const isSet = Boolean(nextStep || nextOn)
  return (
    <PanelRow label="Next step">
      <ValueButton ref={ref} disabled={isBusy} data-lines={isSet || undefined} onClick={begin}>
        {isSet ? (
          <span className={classes.text}>
            <span className="visually-hidden">Change the next step: </span>
            {nextStep && <bdi title={nextStep}>{nextStep}</bdi>}
            {nextOn && <StepDay nextOn={nextOn} />}
          </span>
        ) : (
          'Add a next step'
        )}
      </ValueButton>
      {isSet && (
        <ValueLink disabled={isBusy} onClick={() => void change({ nextStep: null, nextOn: null })}>
          Done
          <span className="visually-hidden"> with the next step</span>
        </ValueLink>
      )}
      {nextOn && (
        <DownloadLink path={`/records/${record.id}/next-step.ics`} className={classes.file} title="Add to my calendar">
          Calendar
          <span className="visually-hidden"> file of the next step with {record.name}</span>
        </DownloadLink>
      )}
    </PanelRow>
  )
}

type NextStepFormProps = PanelPartProps & {
  draft: TypedDraft<{ text: string; on: string }>
  /** False for a form that was already open when the page loaded. */
  takesFocus: boolean
  onEnd: () => void
}

function NextStepForm({ record, pipeline, isBusy, change, draft, takesFocus, onEnd }: NextStepFormProps) {
  const { text, on } = draft.values
  const fault = tooLong('Next step', text, NEXT_STEP_MAX)
  const { cancel, cancelOnEscape } = createCancel({ isTyped: () => draft.isTyped, isBusy, onCancel: onEnd })
  const save = async (event: FormEvent) => {
    event.preventDefault()
    // What was typed stays until it is saved.
    if (!fault && (await change({ nextStep: text.trim() || null, nextOn: on || null }))) onEnd()
  }
  return (
    <form
      className={classes.form}
      noValidate
      aria-label={`Next step with ${record.name}`}
      onKeyDown={cancelOnEscape}
      onSubmit={save}
    >
      <TextInput
        ref={takesFocus ? focusWhenShown : null}
        label="Next step"
        placeholder="Such as Call the reference"
        autoComplete="off"
        value={text}
        error={fault}
        readOnly={isBusy}
        onChange={(event) => draft.change({ text: event.currentTarget.value, on })}
      />
      <TextInput
        type="date"
        label="On"
        value={on}
        readOnly={isBusy}
        onChange={(event) => draft.change({ text, on: event.currentTarget.value })}
      />
      {pipeline.responsible === null && (
        <Text size="xs" c="dimmed">
          No one is responsible yet. Saving makes you responsible.
        </Text>
      )}
      <div className={classes.buttons}>
        <Button variant="default" size="xs" disabled={isBusy} onClick={cancel}>
          Cancel
        </Button>
        <SubmitButton size="xs" busy={isBusy} label="Save" busyLabel="Saving…" />
      </div>
    </form>
  )
}
