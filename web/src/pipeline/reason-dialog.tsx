import '#web/ui/dialog-styles.ts'
import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Radio.css'
import { Button, Group, Modal, Radio, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { PASSING_TEXT_MAX } from '#contract/limits.ts'
import { RetryButton } from '#web/ui/retry-button.tsx'
import { listReasons } from './api.ts'
import type { Ask } from './asks.ts'
import classes from './dialogs.module.css'

/** Asks for the reason before a record is passed. Escape and Cancel change nothing. A digit is the answer: it passes for the reason with this number. */
export function ReasonDialog({ ask }: { ask: Extract<Ask, { what: 'reason' }> }) {
  // Opened after mounting: the modal returns the focus to where it was before `opened` became true.
  const [open, setOpen] = useState<typeof ask>()
  useEffect(() => setOpen(ask), [ask])
  const answer: typeof ask.answer = (reason) => {
    setOpen(undefined)
    ask.answer(reason)
  }
  return (
    <Modal
      opened={open === ask}
      onClose={() => answer(undefined)}
      withCloseButton={false}
      centered
      zIndex={300}
      size={480}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Title fw={600} lh={1.4} mb={12} className={classes.title ?? ''}>
        Why is <bdi>{ask.record.name}</bdi> passed?
      </Modal.Title>
      <ReasonForm answer={answer} />
    </Modal>
  )
}

/** Mounted with each opening, so that it opens empty. */
function ReasonForm({ answer }: Pick<Extract<Ask, { what: 'reason' }>, 'answer'>) {
  const { data: reasons, isError, refetch } = useQuery(listReasons)
  const [id, setId] = useState('')
  const [text, setText] = useState('')
  const [isMissing, setMissing] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const isLoaded = reasons !== undefined
  useEffect(() => {
    if (isLoaded) form.current?.querySelector<HTMLElement>('input[type=radio]')?.focus()
  }, [isLoaded])

  const choose = (chosen: string) => {
    setId(chosen)
    setMissing(false)
  }
  const pass = (id: string) => answer({ id, ...(text.trim() !== '' && { text: text.trim() }) })
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
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLTextAreaElement) return
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) return submit(event)
    const reason = /^[1-9]$/.test(event.key) ? reasons?.[Number(event.key) - 1] : undefined
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
          description="Press its number to pass immediately."
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
        maxLength={PASSING_TEXT_MAX}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group mt="md" justify="flex-end">
        <Button variant="default" onClick={() => answer(undefined)}>
          Cancel
        </Button>
        <Button type="submit" disabled={!reasons || reasons.length === 0}>
          Pass
        </Button>
      </Group>
    </form>
  )
}
