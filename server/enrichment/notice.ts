import { capital } from '#contract/plain-text.ts'
import type { ReachedLimit } from './lookups.ts'
import type { FailureReason } from './provider.ts'

// The sentences about a run that people see.

export const NOTHING_CONFIGURED = 'No source of public data is set up'
export const noSourceFor = (kindName: string) => `We have no source for this ${kindName} yet`
export const NOTHING_FOUND = 'No public data found'
export const STILL_LOOKING = 'Still looking for public data. It will appear here.'

type Trouble = { name: string; reason: FailureReason }

/** The result of a run. `reached`: paid providers were skipped because of this limit. */
type Outlook = { hasFound: boolean; troubles: Trouble[]; reached: ReachedLimit | undefined }

const LIMITS: Record<ReachedLimit, string> = {
  account: 'You have reached your daily limit for paid sources, so only free ones were used',
  total: 'The daily limit for paid sources of all fellows is reached, so only free ones were used',
}

/** Undefined when there is nothing to report: something was found, and no trouble needs the operator. */
export function noticeOf({ hasFound, troubles, reached }: Outlook): string | undefined {
  // A slow or busy provider matters only when nothing was found.
  const shown = troubles.filter(({ reason }) => !hasFound || reason === 'no_credits' || reason === 'auth')
  // A source that was not reached may know the record.
  const isUnknown = shown.some(({ reason }) => isTemporary(reason))
  const sentences = [
    ...(hasFound || isUnknown ? [] : [NOTHING_FOUND]),
    ...shown.map(sentenceOf),
    ...(reached ? [LIMITS[reached]] : []),
  ]
  return sentences.length === 0 ? undefined : sentences.join('. ')
}

const isTemporary = (reason: FailureReason) => ['unavailable', 'rate_limited', 'pending'].includes(reason)

function sentenceOf({ name, reason }: Trouble): string {
  const subject = capital(name)
  switch (reason) {
    case 'no_credits':
      return `${subject} has no credits left`
    case 'auth':
      return `${subject} rejected its API key`
    case 'rate_limited':
      return `${subject} has reached its rate limit. We'll try again later`
    case 'pending':
      return `${subject} is still working on this. We'll check again later`
    case 'bad_request':
      return `${subject} rejected the request`
    case 'unavailable':
      return `${subject} could not be reached. Try again later`
  }
}
