import { Button, Text } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import type { AccountAnswer, AccountSession } from '#contract/account.ts'
import { formatAgo, formatMoment } from '#web/lib/dates.ts'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import classes from './account.module.css'
import { endOtherSessions, endSession } from './api.ts'
import { Section } from './section.tsx'

export const Sessions = ({ sessions }: AccountAnswer) => {
  const { mutate, isPending } = useMutation(endOtherSessions)
  const list = useRef<HTMLUListElement>(null)
  // The button that had the focus has gone.
  const focusList = () => list.current?.focus()
  const isOnlyHere = sessions.every(({ isCurrent }) => isCurrent)

  const signOutElsewhere = async () => {
    if (!(await confirm(sure))) return
    mutate(undefined, {
      onSuccess: () => {
        toasts.success('Signed out everywhere else')
        focusList()
      },
    })
  }

  return (
    <Section title="Where you are signed in">
      <ul ref={list} tabIndex={-1} className={classes.sessions}>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} onEnded={focusList} />
        ))}
      </ul>
      {isOnlyHere ? (
        <Text size="sm" c="dimmed">
          You are signed in nowhere else.
        </Text>
      ) : (
        <div>
          <Button variant="default" disabled={isPending} onClick={signOutElsewhere}>
            Sign out everywhere else
          </Button>
        </div>
      )}
    </Section>
  )
}

const sure = {
  title: 'Sign out everywhere else?',
  text: 'All your other sessions end immediately. You stay signed in here.',
  confirm: 'Sign out',
  cancel: 'Cancel',
}

type SessionRowProps = { session: AccountSession; onEnded: () => void }

/** A session and its sign-out button. The current session ends by Logout instead. */
const SessionRow = ({ session, onEnded }: SessionRowProps) => {
  const { id, isCurrent, ip, lastUsedAt, createdAt } = session
  const device = session.device || 'Unknown device'
  const Icon = /Android|iPhone|iPad/.test(device) ? IconDeviceMobile : IconDeviceDesktop
  const { mutate, isPending } = useMutation(endSession)

  const signOut = async () => {
    const isSure = await confirm({
      title: `Sign out ${device}?`,
      text: `The session that started on ${formatMoment(createdAt)} from ${ip || 'an unknown place'} ends immediately.`,
      confirm: 'Sign out',
      cancel: 'Cancel',
    })
    if (!isSure) return
    mutate(id, {
      onSuccess: () => {
        toasts.success(`Signed out ${device}`)
        onEnded()
      },
    })
  }

  return (
    <li className={classes.session}>
      <Icon size={24} stroke={1.5} aria-hidden="true" />
      <div className={classes.sessionText}>
        <span className={classes.device}>
          {device}
          {isCurrent && <span className={classes.here}>This device</span>}
        </span>
        <span className={classes.meta}>
          {ip && <>{ip} · </>}
          {isCurrent ? (
            'in use now'
          ) : (
            <>
              last used{' '}
              <time dateTime={lastUsedAt} title={formatMoment(lastUsedAt)}>
                {formatAgo(lastUsedAt)}
              </time>
            </>
          )}
        </span>
      </div>
      {!isCurrent && (
        <Button variant="default" aria-label={`Sign out ${device}`} disabled={isPending} onClick={signOut}>
          Sign out
        </Button>
      )}
    </li>
  )
}
