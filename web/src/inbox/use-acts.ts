import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Mark } from '#contract/inbox.ts'
import { useOwner } from '#web/session/use-current-user.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import type { Line } from './api.ts'
import { offerTakeBack } from './last-act.ts'
import { getFollow, type Marking, markLines, putFollow, refetchInbox } from './marks.ts'

const OPPOSITE = { read: 'unread', unread: 'read', done: 'reopen', reopen: 'done' } as const satisfies Record<
  Mark,
  Mark
>

const WORDS = { done: 'Done', unread: 'Unread', reopen: 'Open again' }

/** What a person does with lines of the inbox. Each can be taken back. `seenUntil` is that of the answer that showed them. */
export function useActs(seenUntil: string | null | undefined) {
  const client = useQueryClient()
  const account = useOwner()
  const { mutate } = useMutation(markLines)

  const markOne = (mark: keyof typeof WORDS, { key, sentence }: Line, onTakenBack = () => {}) => {
    const marking = { keys: [key], seenUntil }
    mutate({ mark, ...marking })
    offerTakeBack(account, `${WORDS[mark]}: ${sentence}`, () => {
      mutate({ mark: OPPOSITE[mark], ...marking })
      onTakenBack()
    })
  }

  const markAllDone = () => {
    if (!seenUntil) return
    const until = seenUntil
    mutate({ mark: 'done', until } satisfies Marking)
    offerTakeBack(account, 'Everything in your inbox is done', () => mutate({ mark: 'reopen', until }))
  }

  /** Hides news of a record. */
  const mute = async ({ record }: Line, onTakenBack = () => {}) => {
    if (!record) return
    const choose = async (state: 'follow' | 'mute' | 'none') => {
      await putFollow(record.id, state)
      await refetchInbox(client)
    }
    try {
      const { state: before } = await getFollow(record.id)
      await choose('mute')
      offerTakeBack(account, `News of ${record.name} is muted`, () => {
        choose(before).then(onTakenBack, fail)
      })
    } catch (failure) {
      fail(failure)
    }
  }

  const markRead = ({ key }: Line) => mutate({ mark: 'read', keys: [key], seenUntil })

  return { markOne, markAllDone, mute, markRead }
}

const fail = (failure: unknown) => toasts.failure(failure, 'The record could not be muted')
