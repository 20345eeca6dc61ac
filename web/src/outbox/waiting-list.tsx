import { Button, Group, Paper, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { Link } from 'react-router'
import { kinds } from '#web/kinds.ts'
import { formatMoment } from '#web/lib/dates.ts'
import { editWaitingPath } from '#web/paths.ts'
import { useCurrentUser, useOwner, useSignIn } from '#web/session/use-current-user.ts'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import classes from './outbox.module.css'
import { type EarlierForm, useEarlierForms, useWaitingForms, type WaitingForm, waitingForms } from './waiting-forms.ts'

/** The forms that wait on this device, oldest first. */
export function WaitingList() {
  const { email } = useCurrentUser()
  const owner = useOwner()
  const forms = useWaitingForms(owner)
  const earlier = useEarlierForms({ ...useSignIn(), email })
  if (forms.length + earlier.length === 0)
    return (
      <EmptyState
        icon={<IconSend size={28} stroke={1.5} />}
        title="Nothing is waiting"
        text="Forms that you fill in without a network wait here until they are sent."
      />
    )
  return (
    <>
      <Text size="sm" c="dimmed" maw="70ch">
        Only you can see these forms, on this device alone. They are sent when the network is back, or when you open
        Sourcebook here again before you sign out. Until then, keep this tab open: a page cannot be loaded without a
        network.
      </Text>
      <ul className={classes.list}>
        {forms.map((form) => (
          <Item key={form.id} account={owner} form={form} />
        ))}
        {earlier.map((form) => (
          <Item key={`${form.owner} ${form.id}`} account={owner} form={form} earlier={form} />
        ))}
      </ul>
    </>
  )
}

type ItemProps = { account: string; form: WaitingForm; earlier?: EarlierForm }

/** A form of an earlier sign-in is sent only when the person says so. */
function Item({ account, form, earlier }: ItemProps) {
  const { id, values, refusal } = form
  const kind = kinds.find(({ name }) => name === form.kind)
  const name = String(values.name)

  const leaveItem = () => document.querySelector('main')?.focus({ preventScroll: true })
  const discard = async () => {
    if (!(await confirm(discardForm))) return
    waitingForms.delete(earlier?.owner ?? account, id)
    leaveItem()
  }
  const send = () => {
    if (earlier) waitingForms.take(account, earlier)
    else waitingForms.keep(account, { ...form, refusal: undefined })
    leaveItem()
  }

  return (
    <Paper component="li" withBorder className={classes.item}>
      <div className={classes.about}>
        <p className={classes.name}>
          <bdi>{name}</bdi>
        </p>
        <Text size="xs" c="dimmed">
          {kind?.label} · {formatMoment(new Date(Number.parseFloat(id)).toISOString())}
        </Text>
        {earlier && <p>From an earlier sign-in. It is sent only if you say so.</p>}
        {refusal !== undefined && <p className={classes.refusal}>Not sent: {refusal}</p>}
      </div>
      <Group gap="xs">
        {(earlier || refusal !== undefined) && (
          <Button variant="default" onClick={send} aria-label={`Send ${name}`}>
            Send
          </Button>
        )}
        {kind && !earlier && (
          <Button variant="default" component={Link} to={editWaitingPath(kind, form)} aria-label={`Edit ${name}`}>
            Edit
          </Button>
        )}
        <Button variant="subtle" color="red" onClick={discard} aria-label={`Discard ${name}`}>
          Discard
        </Button>
      </Group>
    </Paper>
  )
}

const discardForm = {
  title: 'Discard this form?',
  text: 'It has not been sent. What you typed will be lost.',
  confirm: 'Discard',
  cancel: 'Keep',
}
