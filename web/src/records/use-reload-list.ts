import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Kind } from '#contract/kinds.ts'
import { delay } from '#web/lib/delay.ts'
import { refetchLists, refetchRecord } from './cache/list-cache.ts'

const EMPTY_FOR = 500

/**
 * After a refresh, empties the list, waits, and refetches the data that may have changed: the record and the top rows.
 * The rows keep their space, so that the scroll position stays.
 */
export const useReloadList = () => {
  const client = useQueryClient()
  const [isEmptied, setEmptied] = useState(false)
  const reload = async (kind: Kind, id: string) => {
    setEmptied(true)
    await delay(EMPTY_FOR)
    await Promise.all([refetchLists(client, kind, () => true), refetchRecord(client, kind, id)])
    setEmptied(false)
  }
  return { isEmptied, reload }
}
