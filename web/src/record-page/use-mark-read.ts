import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { post } from '#web/lib/http.ts'
import { whenIdle } from '#web/lib/idle.ts'
import { timeZone } from '#web/lib/time-zone.ts'
import { seenUntilKey } from '#web/records/api.ts'
import type { RecordRow } from '#web/records/record-row.ts'

type Shown = { data: RecordRow | undefined; dataUpdatedAt: number; isPlaceholderData: boolean }

/** Marks the lines of the inbox about a record as read, once for each answer that shows it, when the tab is visible. */
export function useMarkRead(id: string, { data, dataUpdatedAt, isPlaceholderData }: Shown): void {
  const client = useQueryClient()
  const isShown = data?.id === id && !isPlaceholderData
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    const seenUntil = isShown ? client.getQueryData<string | null>(seenUntilKey(id)) : null
    if (!seenUntil) return
    let cancel = () => {}
    const stopWaiting = () => document.removeEventListener('visibilitychange', mark)
    const mark = () => {
      if (document.hidden) return
      stopWaiting()
      // What fails is marked with the next answer.
      const send = () => post('/inbox/read', { record: id, timeZone: timeZone() }, { seenUntil }).catch(() => undefined)
      cancel = whenIdle(() => void send())
    }
    document.addEventListener('visibilitychange', mark)
    mark()
    return () => {
      stopWaiting()
      cancel()
    }
  }, [client, id, isShown, dataUpdatedAt])
}
