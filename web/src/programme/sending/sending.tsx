import '@mantine/core/styles/Switch.css'
import '#web/ui/touch-targets.css'
import { Button, Paper, Skeleton, Switch, Title } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import type { Sending as Answer, SentMail } from '#contract/sending.ts'
import { PagedList } from '#web/records/list/paged-list.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { changeSending, getSending, listMails } from './api.ts'
import { Channels } from './channels.tsx'
import classes from './sending.module.css'
import { Webhooks } from './webhooks.tsx'

/** Whether anything leaves by itself, what it is, and to whom it goes. */
export function Sending() {
  const { data, error, isPending, refetch } = useQuery(getSending)
  if (isPending) return <Skeleton height={220} />
  if (!data) return <ErrorState title="What is sent could not be loaded" error={error} retry={refetch} />
  return (
    <div className={classes.sections}>
      <Paper component="section" withBorder className={classes.section} aria-labelledby="sending">
        <Title order={2} size="h4" id="sending">
          {data.isPaused ? 'Sending is paused' : 'Sending'}
        </Title>
        <Pause current={data} />
        <Names current={data} />
      </Paper>
      <Channels isKeyStored={data.isKeyStored} />
      <Webhooks />
      <Mails />
    </div>
  )
}

function whyPaused({ isPaused, isFixed, isRestored }: Answer): string {
  if (!isPaused) return 'What is listed below goes out by itself. Mails about sign-up and passwords always do.'
  if (isFixed) return 'The settings of the server pause it. Ask the operator.'
  if (isRestored)
    return 'This was restored from a backup, and another copy may be sending already. What is listed below goes out once you go on.'
  return 'What is listed below goes out once you go on.'
}

function Pause({ current }: { current: Answer }) {
  const { mutate, isPending } = useMutation(changeSending)
  const { isPaused, isFixed, showsNames } = current
  const change = () =>
    mutate(
      { isPaused: !isPaused, showsNames },
      { onSuccess: () => toasts.success(isPaused ? 'Sending goes on' : 'Sending is paused') },
    )
  return (
    <>
      <p className={classes.text}>{whyPaused(current)}</p>
      {!isFixed && (
        <div>
          <Button variant={isPaused ? 'filled' : 'default'} disabled={isPending} onClick={change}>
            {isPaused ? 'Go on sending' : 'Pause sending'}
          </Button>
        </div>
      )}
    </>
  )
}

function Names({ current }: { current: Answer }) {
  const { mutate, isPending } = useMutation(changeSending)
  const { isPaused, showsNames, namesBy } = current
  return (
    <div>
      <Switch
        label="Names in mails and channels"
        description="Names of fellows and records. Without them a mail says “A fellow mentioned you in a note on a founder”."
        checked={showsNames}
        disabled={isPending}
        onChange={({ currentTarget: { checked } }) =>
          mutate({ isPaused, showsNames: checked }, { onSuccess: () => toasts.success('Saved') })
        }
      />
      {namesBy && (
        <p className={classes.meta}>
          Turned on by <bdi>{namesBy.name}</bdi>
        </p>
      )}
    </div>
  )
}

function Mails() {
  const list = useInfiniteQuery(listMails)
  return (
    <section aria-labelledby="mails" className={classes.sections}>
      <Title order={2} size="h4" id="mails">
        Daily mails
      </Title>
      <PagedList
        list={list}
        name="mails"
        label="Daily mails"
        failed="The mails could not be loaded"
        skeletons={<Skeleton height={58} />}
        nothing={
          <EmptyState
            icon={<IconMail size={28} stroke={1.5} />}
            title="No daily mails"
            text="Fellows choose on their account page to be mailed what is unread."
          />
        }
      >
        {(mail) => <Mail mail={mail} />}
      </PagedList>
    </section>
  )
}

const whenWords = { daily: 'each day', weekdays: 'on weekdays' } as const

function whatWords({ when, hour, timeZone, week }: SentMail): string {
  const at = `at ${hour}:00, ${timeZone.replaceAll('_', ' ')}`
  if (when === 'off') return `the list of the week, on Mondays ${at}`
  return `what is unread, ${whenWords[when]} ${at}${week ? '; on Mondays with the list of the week' : ''}`
}

const Mail = ({ mail }: { mail: SentMail }) => (
  <Paper withBorder className={classes.mail}>
    <bdi>{mail.name}</bdi>{' '}
    <span className={classes.meta}>
      {mail.email} · {whatWords(mail)}
    </span>
  </Paper>
)
