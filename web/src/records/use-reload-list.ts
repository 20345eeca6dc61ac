import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { delay } from '#web/lib/delay.ts'
import { refetchLists } from './list-cache.ts'

const EMPTY_FOR = 500

/**
 * After a refresh the list is emptied, waits, and loads anew what can have changed: the record, and the top of the list.
 * The rows keep their room meanwhile, so that nobody loses the place.
 */
export const useReloadList = (lists: QueryKey, renew: (client: QueryClient, id: string) => Promise<void>) => {
  const client = useQueryClient()
  const [isEmptied, setEmptied] = useState(false)
  const reload = async (id: string) => {
    setEmptied(true)
    await delay(EMPTY_FOR)
    await Promise.all([refetchLists(client, lists), renew(client, id)])
    setEmptied(false)
  }
  return { isEmptied, reload }
}
