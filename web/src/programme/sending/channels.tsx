import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import '@mantine/core/styles/PillsInput.css'
import '@mantine/core/styles/Pill.css'
import { Button, MultiSelect, Skeleton, Text, Title } from '@mantine/core'
import { IconMessageShare } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { channelKinds } from '#contract/channel-addresses.ts'
import type { Channel } from '#contract/channels.ts'
import { isSameForAll } from '#contract/same-for-all.ts'
import { formatMoment } from '#web/lib/dates.ts'
import { listSearches } from '#web/searches/api.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { changeChannel, deleteChannel, listChannels, testChannel } from './api.ts'
import classes from './sending.module.css'
import { WayOut } from './way-out.tsx'

const AddChannel = lazy(async () => ({ default: (await import('./add-channel.tsx')).AddChannel }))

/** Chats that get the Monday list and searches. */
export function Channels({ isKeyStored }: { isKeyStored: boolean }) {
  const { data, error, isPending, refetch } = useQuery(listChannels)
  const [isAdding, setAdding] = useState(false)
  if (isPending) return <Skeleton height={120} />
  if (!data) return <ErrorState title="The channels could not be loaded" error={error} retry={refetch} />
  return (
    <section aria-labelledby="channels" className={classes.sections}>
      <div className={classes.head}>
        <Title order={2} size="h4" id="channels">
          Channels
        </Title>
        <Button variant="default" onClick={() => setAdding(true)}>
          Add a channel
        </Button>
      </div>
      {isKeyStored && data.length > 0 && (
        <p className={classes.meta}>
          Addresses of channels are encrypted with a key in the database, so a backup contains both. The operator keeps
          them apart with AUTH_SECRET.
        </p>
      )}
      {data.length === 0 && (
        <EmptyState
          icon={<IconMessageShare size={28} stroke={1.5} />}
          title="No channels"
          text="A channel of Slack or Teams gets the Monday list, and what is new in searches, at most one message a day."
        />
      )}
      {data.map((channel) => (
        <ChannelItem key={channel.id} channel={channel} />
      ))}
      <Suspense>{isAdding && <AddChannel onEnd={() => setAdding(false)} />}</Suspense>
    </section>
  )
}

function ChannelItem({ channel }: { channel: Channel }) {
  const { id, name, kind, address, addedBy, confirmedBy } = channel
  const { mutate, isPending } = useMutation(changeChannel)
  const goOn = () => mutate({ id, isConfirmed: true }, { onSuccess: () => toasts.success('The channel goes on') })
  const why = 'Nothing is sent: the manager who answered for this channel is no manager any more. Another one can.'
  return (
    <WayOut
      {...{ noun: 'channel', id, name, addedBy, words: lastWords(channel), test: testChannel, remove: deleteChannel }}
      heading={
        <>
          <bdi className={classes.name}>{name}</bdi>{' '}
          <span className={classes.meta}>
            {channelKinds[kind].label} · {address}
          </span>
        </>
      }
      stopped={confirmedBy === null ? { why, label: 'Answer for it', goOn } : undefined}
      isBusy={isPending}
      canTest={confirmedBy !== null}
      removal="It gets no more messages."
    >
      <Searches channel={channel} isBusy={isPending} set={(searches) => mutate({ id, searches })} />
    </WayOut>
  )
}

function lastWords({ lastSentAt, lastFailedAt, lastStatus }: Channel): string {
  if (lastFailedAt !== null) {
    const why = lastStatus === null ? 'it did not answer' : `it answered ${lastStatus}`
    return `The message of ${formatMoment(lastFailedAt)} did not arrive: ${why}. It is tried again each half hour of that day.`
  }
  return lastSentAt === null ? 'No message yet. They come at 7:00 UTC.' : `Last message ${formatMoment(lastSentAt)}`
}

const offWords = {
  changed: 'has been changed by a fellow, and is left out until you choose it again',
  creator_left: 'is left out, because its fellow has left',
} as const

type SearchesProps = { channel: Channel; isBusy: boolean; set: (searches: string[]) => void }

function Searches({ channel: { searches }, isBusy, set }: SearchesProps) {
  const { data } = useQuery(listSearches)
  const chosen = searches.map(({ id }) => id)
  const offered = (data?.all ?? []).filter(
    ({ isShared, query }) => isShared && isSameForAll(new URLSearchParams(query).keys()),
  )
  const names = new Map([...offered, ...searches].map(({ id, name }) => [id, name]))
  return (
    <div className={classes.sections}>
      <MultiSelect
        label="Searches"
        description="Shared ones that show everyone the same. What is new and changed in them comes once a day."
        placeholder={chosen.length === 0 ? 'None' : ''}
        searchable
        hidePickedOptions
        withScrollArea={false}
        readOnly={isBusy}
        data={[...names].map(([value, label]) => ({ value, label }))}
        value={chosen}
        onChange={set}
        nothingFoundMessage="No other shared search"
        comboboxProps={{ withinPortal: false, transitionProps: { duration: 0 } }}
      />
      {searches.map(
        ({ id, name, off }) =>
          off !== null && (
            <div key={id} className={classes.warning} role="status">
              <Text size="sm">
                <bdi>{name}</bdi> {offWords[off]}.
              </Text>
              {off === 'changed' && (
                <Button size="xs" variant="default" disabled={isBusy} onClick={() => set(chosen)}>
                  Choose it again
                </Button>
              )}
            </div>
          ),
      )}
    </div>
  )
}
