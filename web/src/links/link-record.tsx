import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { whenIdle } from '#web/lib/idle.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import { later } from '#web/ui/later.tsx'
import { type LinkRecordProps, useLinkDraft } from './link-record-props.ts'
import classes from './linked-records.module.css'

const LinkForm = later('The form could not be loaded.', async () => (await import('./link-form.tsx')).LinkForm)

/** A button that opens the form for a link to a record of the other kind. */
export function LinkRecord(props: LinkRecordProps) {
  const draft = useLinkDraft(props.own, props.linkedKind)
  const [isOpen, setOpen] = useState(false)
  const [hasClosed, setClosed] = useState(false)
  // What is typed after the button is for the form.
  useEffect(() => whenIdle(LinkForm.preload), [])
  const end = () => {
    draft.discard()
    setOpen(false)
    setClosed(true)
  }
  const button = (
    <Button
      ref={hasClosed && !isOpen ? focusWhenShown : null}
      variant="default"
      size="xs"
      className={classes.add ?? ''}
      leftSection={<IconPlus size={14} stroke={1.5} />}
      onClick={() => setOpen(true)}
    >
      Link a {props.linkedKind.name}
    </Button>
  )
  const isShown = isOpen || draft.isTyped
  return isShown ? <LinkForm {...props} draft={draft} takesFocus={isOpen} onEnd={end} fallback={button} /> : button
}
