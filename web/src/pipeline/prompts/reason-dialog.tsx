import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Radio.css'
import { Button, Group, Radio, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { PASSING_TEXT_MAX } from '#contract/limits.ts'
import { listReasons } from '#web/pipeline/api.ts'
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
  const draft = useDraft<string>(
    `remark ${record?.id ?? `many ${kind}`}`,
    '',
    record && { what: 'change', kind, id: record.id, name: record.name },
  )
  const answer: typeof prompt.answer = (reason) => {
    setOpen(undefined)
    prompt.answer(reason)
  }
  const { cancel } = createCancel({
    isTyped: () => draft.isTyped,
    onCancel: () => {
      draft.discard()
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
      <ReasonForm answer={answer} onShown={prompt.onShown} draft={draft} onCancel={cancel} />
    </Modal>
  )
}

type ReasonFormProps = Pick<Extract<Prompt, { what: 'reason' }>, 'answer' | 'onShown'> & {
  draft: TypedDraft<string>
  onCancel: () => void
}

/** Mounted with each opening. */
function ReasonForm({ answer, onShown, draft, onCancel }: ReasonFormProps) {
  const { data: reasons, isError, refetch } = useQuery(listReasons)
  const [id, setId] = useState('')
  const text = draft.values
  const fault = tooLong('Remark', text, PASSING_TEXT_MAX)
  const [isMissing, setMissing] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const isLoaded = reasons !== undefined
  useEffect(() => {
    if (isLoaded) form.current?.querySelector<HTMLElement>('input[type=radio]')?.focus()
    if (isLoaded || isError) onShown()
  }, [isLoaded, isError, onShown])

  const choose = (chosen: string) => {
    setId(chosen)
    setMissing(false)
  }
  const pass = (id: string) => {
    if (fault) return
    answer({ reason: { id, ...(text.trim() !== '' && { text: text.trim() }) }, onPassed: draft.discard })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A React form in a portal would also submit the form around it.
    event.stopPropagation()
    if (id === '') {
      setMissing(true)
      form.current?.querySelector<HTMLElement>('input[type=radio]')?.focus()
    } else pass(id)
  }
  const passByDigit = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLTextAreaElement) return
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) return submit(event)
    const reason = reasons?.[(digitOf(event.nativeEvent) ?? 0) - 1]
    if (!reason) return
    event.preventDefault()
    pass(reason.id)
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
            reasons.length === 1 ? 'Key 1 passes at once.' : `Keys 1–${Math.min(reasons.length, 9)} pass at once.`
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
      <Textarea
        label="Remark (optional)"
        autosize
        minRows={2}
        maxRows={6}
        value={text}
        error={fault}
        onChange={(event) => draft.change(event.currentTarget.value)}
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
