import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/Radio.css'
import { Checkbox, NativeSelect, Radio, Skeleton, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { DIGEST_LINES_MAX, type Digest, type DigestInput, type Rhythm, rhythms } from '#contract/digest.ts'
import { timeZone } from '#web/lib/time-zone.ts'
import { useRights } from '#web/session/use-rights.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import classes from './account.module.css'
import { changeDigest, getDigest } from './api.ts'
import { hourWords } from './hour-words.ts'
import { Section } from './section.tsx'

/** Whether and when the person is mailed what is unread. */
export function DigestSection() {
  const { data, error, isPending, refetch } = useQuery(getDigest)
  return (
    <Section title="Daily mail">
      {isPending && <Skeleton height={180} />}
      {error && !data && <ErrorState title="When you get mail could not be loaded" error={error} retry={refetch} />}
      {data?.mail === 'not_set_up' && (
        <Text size="sm">Mail is not set up here. What is unread stays in your inbox.</Text>
      )}
      {data?.mail === 'not_proven' && (
        <Text size="sm">Confirm your address first. Mail goes to confirmed addresses only.</Text>
      )}
      {data?.mail === 'on' && <DigestChoice chosen={data} />}
    </Section>
  )
}

const words: Record<Rhythm, string> = { off: 'Off', daily: 'Each day', weekdays: 'Weekdays' }

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourWords(hour) }))

/** Each choice is saved at once, with the time zone of this device. */
function DigestChoice({ chosen }: { chosen: Digest }) {
  const { mutate, isPending, variables } = useMutation(changeDigest)
  const { when, hour, timeZone: zone, week = false } = isPending ? variables : chosen
  const may = useRights()
  const save = (change: Partial<DigestInput>) =>
    mutate(
      { when, hour, timeZone: timeZone(), ...(may('programme') && { week }), ...change },
      { onSuccess: () => toasts.success('Saved') },
    )
  return (
    <div className={classes.form}>
      <Text size="sm" maw="70ch">
        One mail a day at most, with what is unread: up to {DIGEST_LINES_MAX} lines with names and links, without notes.
        No mail comes when nothing is unread, and each one has a link that stops it.
      </Text>
      <Radio.Group
        label="Mail me what is unread"
        value={when}
        onChange={(value) => save({ when: rhythms.find((one) => one === value) ?? when })}
      >
        <div className="stack-12">
          {rhythms.map((one) => (
            <Radio key={one} value={one} label={words[one]} />
          ))}
        </div>
      </Radio.Group>
      {when !== 'off' && (
        <NativeSelect
          label="At"
          description={`In the time zone ${zone.replaceAll('_', ' ')}`}
          data={hours}
          value={String(hour)}
          maw={200}
          onChange={({ currentTarget: { value } }) => save({ hour: Number(value) })}
        />
      )}
      {may('programme') && (
        <Checkbox
          label="The list of the week"
          description={
            when === 'off'
              ? 'On Mondays at 7:00 UTC, in a mail of its own'
              : 'On Mondays, at the beginning of this mail, also where nothing is unread'
          }
          checked={week}
          onChange={({ currentTarget: { checked } }) => save({ week: checked })}
        />
      )}
    </div>
  )
}
