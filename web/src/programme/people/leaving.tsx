import { Button, Group, Skeleton, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Leaver, Person } from '#contract/programme.ts'
import { NONE } from '#web/fellows/api.ts'
import { FellowSelect } from '#web/fellows/fellow-select.tsx'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { Modal } from '#web/ui/dialogs/modal.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { leavePeople, listLeavers } from './api.ts'
import classes from './people.module.css'

type LeavingProps = { people: Person[]; onEnd: (haveLeft: boolean) => void }

const nameOf = ({ name, email }: { name: string; email: string }) => name || email

/** Asks before people leave, with what each of them has here. */
export function Leaving({ people, onEnd }: LeavingProps) {
  const ids = people.map(({ id }) => id)
  const { data, error, refetch } = useQuery(listLeavers(ids))
  const { mutate, isPending } = useMutation(leavePeople)
  const [successor, setSuccessor] = useState(NONE)
  const handedOver = data?.reduce((sum, { responsible, unassigned }) => sum + responsible + unassigned, 0) ?? 0
  const [first] = people
  const who = people.length === 1 && first ? nameOf(first) : `${people.length} people`
  const leave = () =>
    mutate(
      { ids, responsible: successor === NONE || successor === '' ? null : successor },
      {
        onSuccess: () => {
          toasts.success(people.length === 1 ? `${who} has left` : `${who} have left`)
          onEnd(true)
        },
        onError: (failure) => toasts.failure(failure, 'This could not be done'),
      },
    )
  return (
    <Modal opened onClose={() => onEnd(false)} withCloseButton={false} centered>
      <Modal.Title fw={600} mb={4}>
        Leaving: <bdi>{who}</bdi>
      </Modal.Title>
      <form
        aria-label="Leaving"
        onSubmit={(event) => {
          event.preventDefault()
          if (data && !isPending) leave()
        }}
      >
        <Text size="sm" mb="sm">
          {people.length === 1 ? 'Their' : 'All their'} sessions, links and open invitations end, and they can no longer
          sign in. What they added stays under their name. Managers can then delete those records. Enable brings them
          back.
        </Text>
        {error && !data ? (
          <ErrorState title="What they have here could not be counted" error={error} retry={refetch} />
        ) : (
          <ul className={classes.leavers} aria-label="What they have here" aria-busy={!data}>
            {(data ?? people).map((leaver) => (
              <li key={leaver.id}>
                <bdi className={classes.name}>{nameOf(leaver)}</bdi>
                {'created' in leaver ? (
                  <span className={classes.meta}>{countsOf(leaver)}</span>
                ) : (
                  <Skeleton height={10} my={4} width={180} />
                )}
              </li>
            ))}
          </ul>
        )}
        {handedOver > 0 && (
          <FellowSelect label="New responsible fellow" value={successor} none="No one" onChange={setSuccessor} />
        )}
        <Group mt="md" justify="flex-end">
          <Button variant="default" data-autofocus onClick={() => onEnd(false)}>
            Cancel
          </Button>
          <SubmitButton busy={isPending} disabled={!data} label={labelOf(people)} busyLabel="Leaving…" color="red" />
        </Group>
      </form>
    </Modal>
  )
}

const labelOf = ({ length }: Person[]) => (length === 1 ? 'Let them leave' : `Let all ${length} leave`)

const count = (number: number, one: string) => `${number.toLocaleString('en')} ${number === 1 ? one : `${one}s`}`

/** `Added 12 records · found 3 more · wrote 8 notes · responsible for 5`. */
const countsOf = ({ created, found, notes, responsible, unassigned }: Leaver) =>
  [
    `Added ${count(created, 'record')}`,
    `found ${found.toLocaleString('en')} more`,
    `wrote ${count(notes, 'note')}`,
    ...(responsible > 0 ? [`responsible for ${responsible.toLocaleString('en')}`] : []),
    ...(unassigned > 0 ? [`${unassigned.toLocaleString('en')} without anyone responsible`] : []),
  ].join(' · ')
