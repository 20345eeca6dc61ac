import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import type { AccountAnswer } from '#contract/account.ts'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import classes from './account.module.css'
import { endOtherSessions } from './api.ts'
import { Section } from './section.tsx'
import { SessionRow } from './session-row.tsx'

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
