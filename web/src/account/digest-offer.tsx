import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { DIGEST_HOUR, type Rhythm } from '#contract/digest.ts'
import { timeZone } from '#web/lib/time-zone.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { changeDigest, getDigest } from './api.ts'
import classes from './digest-offer.module.css'
import { hourWords } from './hour-words.ts'

/** Asks once, when something for the person has been unread for a day and they have not chosen yet. Either answer is a choice. */
export function DigestOffer() {
  const { data } = useQuery({ ...getDigest, retry: false, meta: {} })
  const { mutate, isPending } = useMutation(changeDigest)
  if (!data?.isOffered) return null
  const choose = (when: Rhythm, done: string) => {
    mutate({ when, hour: DIGEST_HOUR, timeZone: timeZone() }, { onSuccess: () => toasts.success(done) })
    document.querySelector('main')?.focus({ preventScroll: true })
  }
  return (
    <section aria-label="Daily mail" className={classes.offer}>
      <p className={classes.text}>Mail me weekdays at {hourWords(DIGEST_HOUR)}?</p>
      <Button
        size="xs"
        disabled={isPending}
        onClick={() => choose('weekdays', 'Your first mail comes on the next weekday')}
      >
        Yes
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={isPending}
        onClick={() => choose('off', 'You can choose mail on your account page')}
      >
        No
      </Button>
    </section>
  )
}
