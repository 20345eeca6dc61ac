import { Button, Group, Paper, Text } from '@mantine/core'
import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isAccepted } from '#contract/channel-addresses.ts'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import classes from './sending.module.css'

type WayOutProps = {
  /** What it is called in sentences. */
  noun: 'channel' | 'webhook'
  id: string
  /** Its name for screen readers, and in the question before it is removed. */
  name: string
  heading: ReactNode
  addedBy: { name: string } | null
  /** What became of the last message. */
  words: string
  /** Why nothing is sent, and what a manager can do. */
  stopped: { why: string; label: string; goOn: () => void } | undefined
  isBusy: boolean
  canTest: boolean
  test: UseMutationOptions<{ status: number | null }, Error, string>
  remove: UseMutationOptions<void, Error, string>
  removal: string
  children?: ReactNode
}

/** An address to which something is sent: who has added it, what became of it, a test, its removal. */
export function WayOut({ noun, id, name, heading, addedBy, words, stopped, canTest, children, ...more }: WayOutProps) {
  const test = useMutation(more.test)
  const remove = useMutation(more.remove)
  const isBusy = more.isBusy || test.isPending || remove.isPending
  const sendTest = () =>
    test.mutate(id, {
      onSuccess: ({ status }) =>
        isAccepted(status)
          ? toasts.success('The test has been sent')
          : toasts.error(status === null ? `The ${noun} did not answer` : `The ${noun} answered ${status}`),
    })
  const ask = async () => {
    const title = `Remove the ${noun} “${name}”?`
    if (!(await confirm({ title, text: more.removal, confirm: 'Remove', cancel: 'Cancel' }))) return
    remove.mutate(id, { onSuccess: () => toasts.success(`The ${noun} has been removed`) })
  }
  return (
    <Paper
      withBorder
      component="section"
      className={classes.section}
      aria-label={`${noun === 'channel' ? 'Channel' : 'Webhook'} ${name}`}
    >
      <div>
        {heading}
        {addedBy && (
          <span className={classes.meta}>
            {' · Added by '}
            <bdi>{addedBy.name}</bdi>
          </span>
        )}
        <p className={classes.meta}>{words}</p>
      </div>
      {stopped && (
        <div className={classes.warning} role="status">
          <Text size="sm">{stopped.why}</Text>
          <Button size="xs" disabled={isBusy} onClick={stopped.goOn}>
            {stopped.label}
          </Button>
        </div>
      )}
      {children}
      <Group gap="xs">
        <Button variant="default" size="xs" disabled={isBusy || !canTest} onClick={sendTest}>
          Send a test
        </Button>
        <Button variant="subtle" color="red" size="xs" disabled={isBusy} onClick={ask}>
          Remove
        </Button>
      </Group>
    </Paper>
  )
}
