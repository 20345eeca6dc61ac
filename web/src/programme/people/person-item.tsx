import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Menu.css'
import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Checkbox.css'
import '#web/ui/touch-targets.css'
import { Avatar, Button, Checkbox, Menu, Paper } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Person, PersonAct } from '#contract/programme.ts'
import { initialsOf } from '#web/lib/initials.ts'
import { CopyButton } from '#web/ui/buttons/copy-button.tsx'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { focusAfterwards } from '#web/ui/focus.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { AllowSpelling } from './allow-spelling.tsx'
import { actOnPerson } from './api.ts'
import { ChangePerson } from './change-person.tsx'
import classes from './people.module.css'
import { factsOf, words } from './person-words.ts'

type PersonItemProps = {
  person: Person
  isChosen: boolean
  onChoose: (person: Person, isChosen: boolean) => void
  onLeave: (person: Person, from: HTMLElement | null) => void
}

/** A person, with a menu of what a manager may do. */
export function PersonItem({ person, isChosen, onChoose, onLeave }: PersonItemProps) {
  const { mutate, isPending } = useMutation(actOnPerson)
  const button = useRef<HTMLButtonElement>(null)
  const [changed, setChanged] = useState<'name' | 'email'>()
  const [isAllowing, setAllowing] = useState(false)
  const [link, setLink] = useState<string>()
  const { id, email, can, canChange, state } = person
  const name = person.name || email
  const canLeave = state === 'active' || state === 'disabled'

  const endAllowing = () => {
    setAllowing(false)
    focusAfterwards(() => button.current)
  }

  const start = async (act: PersonAct) => {
    const { question, done } = words[act]
    if (question && !(await confirm(question(name)))) return
    mutate(
      { id, act },
      {
        onSuccess: (answer) => {
          setLink(answer?.link)
          toasts.success(answer?.isMailed ? `${done(name)}. A link is on its way to ${email}.` : done(name))
        },
        onError: (failure) => toasts.failure(failure, 'This could not be done'),
        // The button cannot have the focus while the act is under way.
        onSettled: () => focusAfterwards(() => button.current),
      },
    )
  }

  return (
    <Paper withBorder className={classes.person} data-state={state}>
      <Checkbox
        size="md"
        aria-label={`Choose ${name}`}
        checked={isChosen}
        disabled={!canLeave}
        onChange={({ currentTarget }) => onChoose(person, currentTarget.checked)}
      />
      <Avatar name={name} size={40} aria-hidden="true">
        {initialsOf(name)}
      </Avatar>
      <div className={classes.text}>
        <p className={classes.name}>
          <bdi>{name}</bdi>
        </p>
        {email !== '' && <p className={classes.meta}>{email}</p>}
        <p className={classes.meta}>{factsOf(person)}</p>
      </div>
      {can.length + canChange.length > 0 && (
        <Menu position="bottom-end" transitionProps={{ duration: 0 }} withinPortal={false}>
          <Menu.Target>
            <Button ref={button} variant="default" disabled={isPending}>
              Manage<span className="visually-hidden"> {name}</span>
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {can
              .filter((act) => act !== 'erase')
              .map((act) => (
                <Menu.Item key={act} onClick={() => start(act)}>
                  {words[act].label}
                </Menu.Item>
              ))}
            {canChange.map((what) => (
              <Menu.Item key={what} onClick={() => setChanged(what)}>
                {what === 'name' ? 'Rename' : 'Change address'}
              </Menu.Item>
            ))}
            {(state === 'disabled' || state === 'left') && (
              <Menu.Item onClick={() => setAllowing(true)}>Allow another spelling</Menu.Item>
            )}
            {canLeave && <Menu.Item onClick={() => onLeave(person, button.current)}>Leaving…</Menu.Item>}
            {can.includes('erase') && (
              <Menu.Item c="var(--mantine-color-error)" onClick={() => start('erase')}>
                {words.erase.label}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {link && (
        <div className={classes.shown} role="status">
          <span className={classes.text}>
            <span>Pass this link on. It is shown once, and sets a new password within a day.</span>
            <span className={classes.link}>{link}</span>
          </span>
          <CopyButton text={link} label="Copy" of={`the link of ${name}`} />
        </div>
      )}
      {changed && <ChangePerson person={person} what={changed} onEnd={() => setChanged(undefined)} />}
      {isAllowing && <AllowSpelling person={person} onEnd={endAllowing} />}
    </Paper>
  )
}
