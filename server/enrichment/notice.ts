import type { FailureReason } from './provider.ts'

// What a person is told of a run, in sentences.

export const NOTHING_CONFIGURED = 'No source of outside data is set up, so nothing was looked up'

type Trouble = { name: string; reason: FailureReason }

/** Undefined when there is nothing to tell: something was found, and nobody's trouble is the operator's to mend. */
export function noticeOf({ hasFound, troubles }: { hasFound: boolean; troubles: Trouble[] }): string | undefined {
  // Who was slow or busy matters only to someone who got nothing.
  const told = troubles.filter(({ reason }) => !hasFound || reason === 'no_credits' || reason === 'auth')
  const sentences = [...(hasFound ? [] : ['Nothing was found in outside data']), ...told.map(sentenceOf)]
  return sentences.length === 0 ? undefined : sentences.join('. ')
}

function sentenceOf({ name, reason }: Trouble): string {
  const subject = name.charAt(0).toUpperCase() + name.slice(1)
  switch (reason) {
    case 'no_credits':
      return `${subject} has no credits left`
    case 'auth':
      return `${subject} refused the key that is set up for it`
    case 'rate_limited':
      return `${subject} was asked too often, and is asked again later`
    case 'pending':
      return `${subject} is still gathering data, and is asked again later`
    case 'bad_request':
      return `${subject} did not understand the question`
    case 'unavailable':
      return `${subject} could not be reached`
  }
}
