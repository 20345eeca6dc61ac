import { Button, Text, TextInput } from '@mantine/core'
import { IconAlarm, IconCalendarDown, IconPlus } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { NEXT_STEP_MAX } from '#contract/limits.ts'
import { formatDay } from '#web/lib/dates.ts'
import { type TypedDraft, useDraft } from '#web/session/use-draft.ts'
import { DownloadLink } from '#web/ui/buttons/download-link.tsx'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import { tooLong } from '#web/ui/too-long.ts'
import type { PanelPartProps } from './panel-props.ts'
import classes from './pipeline-panel.module.css'
import { dueWord } from './words.ts'

/** What is to be done next, and when, with its calendar file. */
export function NextStep(props: PanelPartProps) {
  const { kind, record, pipeline, isBusy, change } = props
  const { nextStep, nextOn, version } = pipeline
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
  if (!nextStep && !nextOn)
    return (
      <div className={classes.row}>
        {version > 0 && <span className={classes.label}>Next step</span>}
        <Button
          ref={ref}
          variant="subtle"
          size="compact-sm"
          className={classes.begin ?? ''}
          leftSection={<IconPlus size={14} stroke={1.5} />}
          onClick={begin}
        >
          Add a next step
        </Button>
      </div>
    )
  const due = nextOn === null ? undefined : dueWord(nextOn)
  return (
    <div className={classes.row}>
      <span className={classes.label}>Next step</span>
      <div className={classes.given}>
        <span className={classes.text}>
          {nextStep && <bdi>{nextStep}</bdi>}
          {nextOn && (
            <span className={classes.on} data-late={due === 'late' || undefined}>
              {due === 'late' && <IconAlarm size={14} stroke={1.5} aria-hidden="true" className={classes.alarm} />}
              <time dateTime={nextOn}>{due === 'today' ? 'Today' : formatDay(`${nextOn}T00:00`)}</time>
              {due === 'late' && ' · late'}
            </span>
          )}
        </span>
        <span className={classes.begins}>
          <Button
            variant="subtle"
            size="compact-sm"
            className={classes.begin ?? ''}
            disabled={isBusy}
            onClick={() => void change({ nextStep: null, nextOn: null })}
          >
            Done
            <span className="visually-hidden"> with the next step</span>
          </Button>
          <Button ref={ref} variant="subtle" size="compact-sm" className={classes.begin ?? ''} onClick={begin}>
            Change
            <span className="visually-hidden"> the next step</span>
          </Button>
          {nextOn && (
            <DownloadLink
              path={`/records/${record.id}/next-step.ics`}
              className={classes.file}
              title="Add to my calendar"
            >
              <IconCalendarDown size={16} stroke={1.5} aria-hidden="true" />
              <span>Calendar</span>
              <span className="visually-hidden"> file of the next step with {record.name}</span>
            </DownloadLink>
          )}
        </span>
      </div>
    </div>
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
