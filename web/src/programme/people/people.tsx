import { Button, Paper, Skeleton, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch, IconUsers } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { SEARCH_MAX } from '#contract/limits.ts'
import type { Person } from '#contract/programme.ts'
import { formatDay } from '#web/lib/dates.ts'
import { useParameters } from '#web/lib/use-parameters.ts'
import { TokenSettings } from '#web/programme/tokens/token-settings.tsx'
import { LoadMore } from '#web/records/list/load-more.tsx'
import { PagedList } from '#web/records/list/paged-list.tsx'
import { focusAfterwards } from '#web/ui/focus.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { tooLong } from '#web/ui/too-long.ts'
import { deleteInvitation, listInvitations, listPeople } from './api.ts'
import { Invite } from './invite.tsx'
import { Leaving } from './leaving.tsx'
import classes from './people.module.css'
import { PersonItem } from './person-item.tsx'
import { SignUp } from './sign-up.tsx'

/** In milliseconds, after the last key. */
const WAIT = 200

/** The people of the programme, and invitations. */
export function People() {
  const [address, changeAddress] = useParameters()
  const [typed, setTyped] = useState(address.get('search') ?? '')
  const fault = tooLong('Search', typed, SEARCH_MAX)
  const [search] = useDebouncedValue(fault ? '' : typed.trim(), WAIT)
  const list = useInfiniteQuery(listPeople(search))
  // Chosen people stay chosen while others are searched for.
  const [chosen, setChosen] = useState<Person[]>([])
  const [leaving, setLeaving] = useState<{ people: Person[]; from: HTMLElement | null }>()
  const box = useRef<HTMLInputElement>(null)
  const choose = (person: Person, isChosen: boolean) =>
    setChosen((before) => [...before.filter(({ id }) => id !== person.id), ...(isChosen ? [person] : [])])
  const endLeaving = (haveLeft: boolean) => {
    if (haveLeft) setChosen((before) => before.filter(({ id }) => !leaving?.people.some((left) => left.id === id)))
    setLeaving(undefined)
    // Once everyone chosen has left, the button can no longer be pressed.
    focusAfterwards(() => (leaving?.from?.matches(':disabled') ? box.current : leaving?.from))
  }
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        <div className={classes.search}>
          <TextInput
            className={classes.typed ?? ''}
            ref={box}
            type="search"
            aria-label="Search people"
            placeholder="Search by name or email"
            leftSection={<IconSearch size={18} stroke={1.5} />}
            error={fault}
            value={typed}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value)
              changeAddress({ search: currentTarget.value }, { replace: true, preventScrollReset: true })
            }}
          />
          <Button
            variant="default"
            disabled={chosen.length === 0}
            onClick={({ currentTarget }) => setLeaving({ people: chosen, from: currentTarget })}
          >
            {chosen.length === 0 ? 'Leaving…' : `Leaving (${chosen.length})…`}
          </Button>
        </div>
        {leaving && <Leaving people={leaving.people} onEnd={endLeaving} />}
        <PagedList
          list={list}
          name="people"
          label="People"
          failed="The people could not be loaded"
          skeletons={<Skeletons />}
          nothing={
            <EmptyState
              icon={<IconUsers size={28} stroke={1.5} />}
              title="No people found"
              text="Try another name or address."
            />
          }
        >
          {(person) => (
            <PersonItem
              person={person}
              isChosen={chosen.some(({ id }) => id === person.id)}
              onChoose={choose}
              onLeave={(one, from) => setLeaving({ people: [one], from })}
            />
          )}
        </PagedList>
      </div>
      <div className={classes.aside}>
        <Invite />
        <OpenInvitations />
        <SignUp />
        <TokenSettings />
      </div>
    </div>
  )
}

const places = [0, 1, 2, 3]

const Skeletons = () => (
  <div role="status" aria-label="Loading people" aria-busy="true" className="stack-12">
    {places.map((place) => (
      <Paper key={place} withBorder className={classes.person}>
        <Skeleton circle height={40} />
        <div className={classes.text}>
          <Skeleton height={14} my={5} width="min(50%, 240px)" />
          <Skeleton height={10} my={5} width="min(70%, 320px)" />
          <Skeleton height={10} my={5} width="min(40%, 200px)" />
        </div>
      </Paper>
    ))}
  </div>
)

/** The invitations that are still valid. Absent when there are none. */
function OpenInvitations() {
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
              <bdi>{email ?? 'Anyone with an allowed address'}</bdi>
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
