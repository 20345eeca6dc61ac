import { Button, Skeleton, Title } from '@mantine/core'
import { IconWebhook } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { RING_DAYS, type Webhook } from '#contract/webhooks.ts'
import { formatMoment } from '#web/lib/dates.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { confirmWebhook, deleteWebhook, listWebhooks, testWebhook } from './api.ts'
import classes from './sending.module.css'
import { WayOut } from './way-out.tsx'

const AddWebhook = lazy(async () => ({ default: (await import('./add-webhook.tsx')).AddWebhook }))

/** Addresses that are rung when there is something new in the feed. */
export function Webhooks() {
  const { data, error, isPending, refetch } = useQuery(listWebhooks)
  const [isAdding, setAdding] = useState(false)
  if (isPending) return <Skeleton height={120} />
  if (!data) return <ErrorState title="The webhooks could not be loaded" error={error} retry={refetch} />
  return (
    <section aria-labelledby="webhooks" className={classes.sections}>
      <div className={classes.head}>
        <Title order={2} size="h4" id="webhooks">
          Webhooks
        </Title>
        <Button variant="default" onClick={() => setAdding(true)}>
          Add a webhook
        </Button>
      </div>
      {data.length === 0 && (
        <EmptyState
          icon={<IconWebhook size={28} stroke={1.5} />}
          title="No webhooks"
          text="A webhook rings a program of yours when something is new in the feed. The ring has no content: the program reads the feed."
        />
      )}
      {data.map((webhook) => (
        <WebhookItem key={webhook.id} webhook={webhook} />
      ))}
      <Suspense>{isAdding && <AddWebhook onEnd={() => setAdding(false)} />}</Suspense>
    </section>
  )
}

function WebhookItem({ webhook }: { webhook: Webhook }) {
  const { id, address, addedBy, confirmedBy } = webhook
  const { mutate, isPending } = useMutation(confirmWebhook)
  const goOn = () => mutate(id, { onSuccess: () => toasts.success('The webhook goes on') })
  return (
    <WayOut
      {...{ noun: 'webhook', id, name: address, addedBy, test: testWebhook, remove: deleteWebhook }}
      heading={<bdi className={classes.name}>{address}</bdi>}
      words={lastWords(webhook)}
      stopped={stoppedBecause(webhook, goOn)}
      isBusy={isPending}
      canTest={confirmedBy !== null}
      removal="It is not rung any more."
    />
  )
}

function stoppedBecause({ confirmedBy, offAt }: Webhook, goOn: () => void) {
  if (confirmedBy === null) {
    const why = 'It is not rung: the manager who answered for this webhook is no manager any more. Another one can.'
    return { why, label: 'Answer for it', goOn }
  }
  if (offAt === null) return undefined
  return {
    why: `It is off: it did not answer for ${RING_DAYS} days. The feed has everything since.`,
    label: 'Turn it on',
    goOn,
  }
}

function lastWords({ lastSentAt, failingSince, lastStatus, offAt }: Webhook): string {
  const last = lastSentAt === null ? 'No ring yet' : `Last ring ${formatMoment(lastSentAt)}`
  if (failingSince === null) return last
  const why = lastStatus === null ? 'It does not answer' : `It answers ${lastStatus}`
  return `${last}. ${why} since ${formatMoment(failingSince)}${offAt === null ? ', and is tried again' : ''}.`
}
