import { Button, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type DraftPlace, drafts } from '#web/lib/drafts.ts'
import { createCancel } from '#web/ui/cancel-form.ts'
import { focusAtEnd } from '#web/ui/focus.ts'
import classes from './import.module.css'

/** Where pasted rows are kept until they have been uploaded. */
export const pastedRows = (account: string): DraftPlace => ({ account, form: 'pasted rows' })

type PasteRowsProps = { initial: string; place: DraftPlace; onDone: (text: string) => void; onClose: () => void }

/** A box for rows that were copied in a spreadsheet. */
export function PasteRows({ initial, place, onDone, onClose }: PasteRowsProps) {
  const [text, setText] = useState(() => {
    const kept = drafts.read(place)
    return typeof kept === 'string' && kept !== '' ? kept : initial
  })
  const [isMissing, setMissing] = useState(false)
  const { cancel, cancelOnEscape } = createCancel({
    isTyped: () => text.trim() !== '',
    onCancel: () => {
      drafts.discard(place)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(text.trim() === '')
    if (text.trim() === '') return
    drafts.keep(place, text)
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
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={() => (text === '' ? drafts.discard(place) : drafts.keep(place, text))}
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
