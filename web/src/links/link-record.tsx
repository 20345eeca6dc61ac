import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { whenIdle } from '#web/lib/idle.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import { later } from '#web/ui/later.tsx'
import type { LinkRecordProps } from './link-record-props.ts'
import classes from './linked-records.module.css'

const load = async () => (await import('./link-form.tsx')).LinkForm
const LinkForm = later('The form could not be loaded.', load)

/** Before the button is pressed, because what is typed next is for the form. */
const preload = () => void load().catch(() => undefined)

/** A button that opens the form for a link to a record of the other kind. */
export function LinkRecord(props: LinkRecordProps) {
  const [isOpen, setOpen] = useState(false)
  const [hasClosed, setClosed] = useState(false)
  useEffect(() => whenIdle(preload), [])
  const end = () => {
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
  return isOpen ? <LinkForm {...props} onEnd={end} fallback={button} /> : button
}
