import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { get } from '#web/lib/http.ts'
import { logout } from './api.ts'

/** A page with a call on its way, which signs out. Returns the calls in order, and which of them were cut off. */
const signOut = async (answer: () => Response) => {
  const calls: string[] = []
  vi.stubGlobal('fetch', (address: string, { signal }: RequestInit) => {
    calls.push(address)
    if (address === '/api/auth/logout') return Promise.resolve(answer())
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        calls.push(`${address} is cut off`)
        reject(signal.reason)
      })
    })
  })
  const client = new QueryClient()
  const shown = new QueryObserver(client, { queryKey: ['counts'], queryFn: ({ signal }) => get('/counts', { signal }) })
  const hide = shown.subscribe(() => {})
  const leaving = { account: 'ada', text: 'discard' as const }
  await client
    .getMutationCache()
    .build(client, logout)
    .execute(leaving)
    .catch(() => {})
  hide()
  return calls
}

beforeEach(() => vi.stubGlobal('document', { cookie: '' }))
afterEach(() => vi.unstubAllGlobals())

describe('A sign-out', () => {
  it('first cuts off the calls that are on their way, which would get a 401', async () => {
    const calls = await signOut(() => new Response(null, { status: 204 }))
    expect(calls.slice(0, 3)).toEqual(['/api/counts', '/api/counts is cut off', '/api/auth/logout'])
  })

  it('that fails makes these calls again', async () => {
    const calls = await signOut(() => Response.json({ error: 'Busy' }, { status: 503 }))
    expect(calls.slice(2, 4)).toEqual(['/api/auth/logout', '/api/counts'])
  })
})
