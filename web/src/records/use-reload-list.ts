import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { delay } from '#web/lib/delay.ts'

const EMPTY_FOR = 500

/** After a refresh the list is emptied, waits, and loads anew: as many rows as it had, so that nobody loses the place. */
export const useReloadList = (key: QueryKey) => {
  const client = useQueryClient()
  const [isEmptied, setEmptied] = useState(false)
  const reload = async () => {
    setEmptied(true)
    await delay(EMPTY_FOR)
    await client.invalidateQueries({ queryKey: key })
    setEmptied(false)
  }
  return { isEmptied, reload }
}
