import { Text } from '@mantine/core'
import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, sentenceOf } from '#web/lib/http.ts'

/** Shown whether or not there is such an account. */
export const RESET_SENT = 'If this address has an account, a link to a new password is on its way.'

/**
 * A request for a mail: its result, as a sentence that stays, and whether the server wants a pause before the next one.
 * `sent` is shown whether or not there is such an account, since the server does not disclose it either.
 */
export const useMailRequest = (asks: UseMutationOptions<void, Error, string>, sent: string) => {
  const [hasToWait, setHasToWait] = useState(false)
  const { mutate, isPending, isSuccess, error } = useMutation({
    ...asks,
    onError: (failure) => {
      if (!(failure instanceof ApiError) || failure.retryAfterSeconds === undefined) return
      setHasToWait(true)
      setTimeout(() => setHasToWait(false), failure.retryAfterSeconds * 1000)
    },
  })
  return {
    ask: mutate,
    isAsking: isPending,
    isSent: isSuccess,
    mayAsk: !isPending && !hasToWait,
    error,
    sentence: error ? sentenceOf(error, 'No mail could be sent. Try again in a moment.') : isSuccess ? sent : '',
  }
}

type MailRequest = ReturnType<typeof useMailRequest>

export const MailAnswer = ({ error, sentence }: MailRequest) => (
  <div role="status">
    {sentence && (
      <Text size="sm" c={error ? 'var(--mantine-color-error)' : 'dimmed'}>
        {sentence}
      </Text>
    )}
  </div>
)
