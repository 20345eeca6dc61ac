import { Button, Text, Textarea } from '@mantine/core'
import { useDebouncedCallback, useWindowEvent } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import classes from '#web/import/import.module.css'
import { type DraftPlace, drafts } from '#web/lib/drafts.ts'
import { focusAtEnd } from '#web/ui/focus.ts'
import { createCancel } from '#web/ui/keys/cancel-form.ts'

/** In milliseconds, after the last key. */
const WAIT = 300

/** Where pasted rows are kept until they have been uploaded. */
export const pastedRows = (account: string): DraftPlace => ({ account, form: 'pasted rows' })

type PasteRowsProps = { initial: string; place: DraftPlace; onDone: (text: string) => void; onClose: () => void }

/** A box for rows that were copied in a spreadsheet. */
export function PasteRows({ initial, place, onDone, onClose }: PasteRowsProps) {
  const [text, setText] = useState(() => {
    const kept = drafts.read(place)
    return typeof kept === 'string' && kept !== '' ? kept : initial
  })
  // Rows may be many megabytes, which are not stored at every key.
  const keep = useDebouncedCallback(
    (typed: string) => (typed === '' ? drafts.discard(place) : drafts.keep(place, typed)),
    { delay: WAIT, flushOnUnmount: true },
  )
  useWindowEvent('pagehide', () => keep.flush())
  const [isMissing, setMissing] = useState(false)
  const { cancel, cancelOnEscape } = createCancel({
    isTyped: () => text.trim() !== '',
    onCancel: () => {
      keep.cancel()
      drafts.discard(place)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(text.trim() === '')
    if (text.trim() === '') return
    keep.flush()
    onDone(text)
  }
  const lines = text.trim() === '' ? 0 : text.trim().split(/\r\n|\r|\n/).length
  return (
    <form className={classes.paste} onSubmit={submit} onKeyDown={cancelOnEscape} noValidate>
      <Textarea
        label="Rows from a spreadsheet"
        description="Copy the rows together with their header, and paste them here."
        ref={focusAtEnd}
        classNames={{ input: classes.pasted ?? '' }}
        wrap="off"
        spellCheck={false}
        value={text}
        error={isMissing && 'Paste the rows first'}
        onChange={({ currentTarget: { value } }) => {
          setText(value)
          keep(value)
        }}
      />
      <div className={classes.acts}>
        <Text size="sm" c="dimmed" className={classes.started ?? ''}>
          {lines > 0 && `${lines.toLocaleString('en')} ${lines === 1 ? 'line' : 'lines'}, with the header`}
        </Text>
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit">Continue</Button>
      </div>
    </form>
  )
}
