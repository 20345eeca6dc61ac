import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Radio.css'
import { Button, Group, NativeSelect, Radio, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { PASSING_TEXT_MAX } from '#contract/limits.ts'
import type { PassingReason } from '#contract/stage.ts'
import { dayAfterMonths, dayHere } from '#web/lib/dates.ts'
import { listReasons } from '#web/pipeline/api.ts'
import { lookAgainChoices } from '#web/pipeline/look-again-choices.ts'
import { type TypedDraft, useDraft } from '#web/session/use-draft.ts'
import { RetryButton } from '#web/ui/buttons/retry-button.tsx'
import { Modal } from '#web/ui/dialogs/modal.tsx'
import { useAfterMount } from '#web/ui/dialogs/use-after-mount.ts'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import { digitOf } from '#web/ui/keys/use-single-key.ts'
import { tooLong } from '#web/ui/too-long.ts'
import classes from './dialogs.module.css'
import type { Prompt } from './prompts.ts'

/** Asks for the reason before records are passed. Escape and Cancel change nothing. A digit is the answer: it passes for the reason with this number. */
export function ReasonDialog({ prompt }: { prompt: Extract<Prompt, { what: 'reason' }> }) {
  const [open, setOpen] = useAfterMount(prompt)
  const { kind, passed } = prompt
  const record = 'id' in passed ? passed : undefined
  const subject = record?.id ?? `many ${kind}`
  const of = record && { what: 'change' as const, kind, id: record.id, name: record.name }
  const remark = useDraft<string>(`remark ${subject}`, '', of)
  const day = useDraft<string>(`day to look again ${subject}`, '', of)
  const discard = () => {
    remark.discard()
    day.discard()
  }
  const answer: typeof prompt.answer = (reason) => {
    setOpen(undefined)
    prompt.answer(reason)
  }
  const { cancel } = createCancel({
    isTyped: () => remark.isTyped || day.isTyped,
    onCancel: () => {
      discard()
      answer(undefined)
    },
  })
  return (
    <Modal
      opened={open === prompt}
      onClose={cancel}
      withCloseButton={false}
      centered
      zIndex={300}
      size={480}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Title fw={600} lh={1.4} mb={12} className={classes.title ?? ''}>
        Why pass on <bdi>{'id' in passed ? passed.name : passed.count}</bdi>?
      </Modal.Title>
      <ReasonForm answer={answer} onShown={prompt.onShown} {...{ remark, day, discard }} onCancel={cancel} />
    </Modal>
  )
}

type ReasonFormProps = Pick<Extract<Prompt, { what: 'reason' }>, 'answer' | 'onShown'> & {
  remark: TypedDraft<string>
  day: TypedDraft<string>
  discard: () => void
  onCancel: () => void
}

const ON_A_DAY = 'day'
const CHOICES = [...lookAgainChoices, { value: ON_A_DAY, label: 'On a day…' }]

const proposedBy = (reason: PassingReason | undefined) => String(reason?.lookAgain ?? '')

/** The day of a choice, if any. */
const dayOf = (choice: string, day: string) => {
  if (choice === '') return undefined
  return choice === ON_A_DAY ? day : dayAfterMonths(Number(choice))
}

/** Mounted with each opening. */
function ReasonForm({ answer, onShown, remark, day, discard, onCancel }: ReasonFormProps) {
  const { data: reasons, isError, refetch } = useQuery(listReasons)
  const [id, setId] = useState('')
  /** What the person chose. Until then the reason proposes it. */
  const [again, setAgain] = useState(day.isTyped ? ON_A_DAY : undefined)
  const text = remark.values
  const fault = tooLong('Remark', text, PASSING_TEXT_MAX)
  const [isMissing, setMissing] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const isLoaded = reasons !== undefined
  const chosen = reasons?.find((reason) => reason.id === id)
  useEffect(() => {
    if (isLoaded) form.current?.querySelector<HTMLElement>('input[type=radio]')?.focus()
    if (isLoaded || isError) onShown()
  }, [isLoaded, isError, onShown])

  const choose = (id: string) => {
    setId(id)
    setMissing(false)
  }
  const isDayMissing = again === ON_A_DAY && day.values === ''
  const pass = (reason: PassingReason) => {
    if (fault) return
    if (isDayMissing) return void form.current?.querySelector<HTMLElement>('input[type=date]')?.focus()
    const lookAgainOn = dayOf(again ?? proposedBy(reason), day.values)
    answer({
      reason: { id: reason.id, ...(text.trim() !== '' && { text: text.trim() }) },
      ...(lookAgainOn && { lookAgainOn }),
      onPassed: discard,
    })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A React form in a portal would also submit the form around it.
    event.stopPropagation()
    if (chosen) return pass(chosen)
    setMissing(true)
    form.current?.querySelector<HTMLElement>('input[type=radio]')?.focus()
  }
  const passByDigit = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLSelectElement) return
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) return submit(event)
    if (event.target instanceof HTMLInputElement && event.target.type !== 'radio') return
    const reason = reasons?.[(digitOf(event.nativeEvent) ?? 0) - 1]
    if (!reason) return
    event.preventDefault()
    pass(reason)
  }
  return (
    <form ref={form} noValidate aria-label="Reason for passing" onSubmit={submit} onKeyDown={passByDigit}>
      {isError && !reasons && (
        <div role="alert">
          <p>The reasons could not be loaded.</p>
          <RetryButton retry={refetch} />
        </div>
      )}
      {reasons?.length === 0 && <p>There is no reason to choose from. A manager can add one.</p>}
      {reasons && reasons.length > 0 && (
        <Radio.Group
          label="Reason"
          description={
            <span className={classes.keys}>
              {reasons.length === 1 ? 'Key 1 passes at once.' : `Keys 1–${Math.min(reasons.length, 9)} pass at once.`}
            </span>
          }
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          value={id}
          onChange={choose}
          error={isMissing ? 'Choose a reason' : undefined}
          className={classes.reasons ?? ''}
        >
          {reasons.map((reason, place) => (
            <Radio
              key={reason.id}
              value={reason.id}
              data-autofocus={place === 0 || undefined}
              aria-keyshortcuts={String(place + 1)}
              label={
                <span className={classes.reason}>
                  <bdi>{reason.name}</bdi>
                  <span className={classes.digit} aria-hidden="true">
                    {place + 1}
                  </span>
                </span>
              }
            />
          ))}
        </Radio.Group>
      )}
      <Group align="start" gap={12} mb={16}>
        <NativeSelect
          label="Look again"
          data={CHOICES}
          value={again ?? proposedBy(chosen)}
          onChange={({ currentTarget }) => setAgain(currentTarget.value)}
        />
        {again === ON_A_DAY && (
          <TextInput
            type="date"
            label="On"
            min={dayHere()}
            value={day.values}
            error={isDayMissing && isMissing ? 'Choose a day' : undefined}
            onChange={({ currentTarget }) => day.change(currentTarget.value)}
          />
        )}
      </Group>
      <Textarea
        label="Remark (optional)"
        autosize
        minRows={2}
        maxRows={6}
        value={text}
        error={fault}
        onChange={(event) => remark.change(event.currentTarget.value)}
      />
      <Group mt="md" justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" disabled={!reasons || reasons.length === 0}>
          Pass
        </Button>
      </Group>
    </form>
  )
}
