import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Menu.css'
import { Button, Menu } from '@mantine/core'
import { IconBell, IconBellOff, IconBellRinging } from '@tabler/icons-react'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Follow } from '#contract/follow.ts'
import { inboxKey } from '#web/inbox/api.ts'
import { getFollow, putFollow, refetchInbox } from '#web/inbox/marks.ts'
import { whenIdle } from '#web/lib/idle.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import small from '#web/ui/buttons/copy-button.module.css'
import { useCommand } from '#web/ui/keys/commands.ts'
import classes from './follow-menu.module.css'

type State = Follow['state']

const CHOICES = {
  follow: { is: 'Following', act: 'Follow', about: 'Its news comes to your inbox.', Icon: IconBellRinging },
  none: {
    is: 'Follow…',
    act: 'Automatic',
    about: 'Its news comes if you found it, are responsible for it, wrote a note, gave an opinion or were mentioned.',
    Icon: IconBell,
  },
  mute: {
    is: 'Muted',
    act: 'Mute',
    about: 'No news of it. What asks something of you still comes.',
    Icon: IconBellOff,
  },
} as const satisfies Record<State, object>

const states = Object.keys(CHOICES) as State[]

const followOf = (id: string) =>
  queryOptions({ queryKey: [...inboxKey, 'follow', id], queryFn: () => getFollow(id), staleTime: 60_000 })

/** Says whether the person follows or mutes a record, and changes it. Asked for after everything else on the page. */
export function FollowMenu({ record: { id, name } }: { record: RecordRow }) {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => whenIdle(() => setIdle(true)), [])
  const { data } = useQuery({ ...followOf(id), enabled: isIdle })
  const { mutate, isPending } = useMutation({
    mutationFn: (state: State) => putFollow(id, state),
    onSuccess: (saved, _state, _nothing, { client }) => {
      client.setQueryData(followOf(id).queryKey, saved)
      return refetchInbox(client)
    },
    meta: { failure: 'Failed to change what you follow' },
  })
  const state = data?.state
  const choose = (chosen: State) => (state === chosen || isPending ? undefined : () => mutate(chosen))
  useCommand('Follow', data && choose('follow'))
  useCommand('Mute', data && choose('mute'))
  const { is, Icon } = CHOICES[state ?? 'none']
  return (
    <Menu position="bottom-end" width={300} transitionProps={{ duration: 0 }} withinPortal={false}>
      <Menu.Target>
        <Button
          variant="default"
          className={`${small.small} ${classes.root}`}
          title={is}
          leftSection={<Icon size={18} stroke={1.5} />}
        >
          <span className={small.label}>{is}</span>
          <span className="visually-hidden"> ({name})</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {states.map((one) => (
          <Menu.RadioItem
            key={one}
            value={one}
            checked={one === state}
            disabled={state === undefined}
            closeMenuOnClick
            onChange={() => choose(one)?.()}
          >
            {CHOICES[one].act}
            <span className={classes.about}>{CHOICES[one].about}</span>
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
