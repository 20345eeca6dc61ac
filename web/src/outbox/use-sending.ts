import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

const AFTER_FAILED_LOAD_MS = 5000

/** Sends the waiting forms now, when the network is back, and from time to time until none is left. */
export function useSending(account: string, count: number, pathname: string) {
  const client = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form that was edited is sent when its screen is left
  useEffect(() => {
    if (count === 0) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const send = async () => {
      clearTimeout(timer)
      const wait = await import('./send.ts').then(
        ({ sendWaiting }) => sendWaiting(client, account),
        () => AFTER_FAILED_LOAD_MS,
      )
      clearTimeout(timer)
      if (!isOver) timer = setTimeout(send, wait)
    }
    void send()
    window.addEventListener('online', send)
    return () => {
      isOver = true
      clearTimeout(timer)
      window.removeEventListener('online', send)
    }
  }, [client, account, count, pathname])
}
