import { Button, Paper, Title } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { formatDay } from '#web/lib/dates.ts'
import { LoadMore } from '#web/records/list/load-more.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { deleteInvitation, listInvitations } from './api.ts'
import classes from './people.module.css'

/** The invitations that are still valid. Absent when there are none. */
export function OpenInvitations() {
  const list = useInfiniteQuery(listInvitations)
  const { mutate, isPending } = useMutation(deleteInvitation)
  const title = useRef<HTMLHeadingElement>(null)
  const invitations = list.data?.pages.flatMap(({ rows }) => rows) ?? []
  if (invitations.length === 0) return null
  const withdraw = (id: string) =>
    mutate(id, {
      onSuccess: () => {
        toasts.success('Invitation withdrawn')
        title.current?.focus()
      },
      onError: (failure) => toasts.failure(failure, 'The invitation could not be withdrawn'),
    })
  return (
    <Paper component="section" withBorder className={classes.invite} aria-labelledby="invitations">
      <Title ref={title} order={2} size="h4" id="invitations" tabIndex={-1}>
        Open invitations
      </Title>
      <ul className={classes.outcomes}>
        {invitations.map(({ id, email, by, expiresAt }) => (
          <li key={id} className={classes.outcome}>
            <span className={classes.text}>
              <bdi>{email ?? 'Anyone who may join'}</bdi>
              <span className={classes.meta}>
                By {by ?? 'the operator'} · until {formatDay(expiresAt)}
              </span>
            </span>
            <Button variant="default" disabled={isPending} onClick={() => withdraw(id)}>
              Withdraw<span className="visually-hidden"> the invitation of {email ?? 'anyone'}</span>
            </Button>
          </li>
        ))}
      </ul>
      <LoadMore list={list} isLoading={list.isFetchingNextPage} />
    </Paper>
  )
}
