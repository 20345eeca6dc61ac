import { QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { checkSession, currentSession, getCurrentUser, type Session } from './api.ts'
import { otherAccount } from './other-account.ts'

const check = (answer: Response) => {
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', async () => answer)
  return getCurrentUser(new AbortController().signal)
}
afterEach(() => vi.unstubAllGlobals())

describe('The current-user check', () => {
  it('returns the user', async () => {
    const me = { user: { name: 'Ada', email: 'ada@mit.edu' }, account: 'ada', signIn: 'first' }
    expect(await check(Response.json(me))).toEqual(me)
  })

  it.each([
    ['a 401', Response.json({ error: 'Not authenticated' }, { status: 401 })],
    ['a null user', Response.json({ user: null })],
  ])('rejects %s with an error named AuthenticationError, message Not authenticated', async (_what, answer) => {
    await expect(check(answer)).rejects.toMatchObject({ name: 'AuthenticationError', message: 'Not authenticated' })
  })

  it('passes other errors through unchanged', async () => {
    const failure = { name: 'ApiError', status: 503, error: 'Busy' }
    await expect(check(Response.json({ error: 'Busy' }, { status: 503 }))).rejects.toMatchObject(failure)
  })
})

describe('A page that could not reach the server, and asks again', () => {
  const offline = { user: { name: '', email: '' }, account: 'ada', signIn: 'first', isOffline: true } as const
  const askAgain = async (me: object, before: Session = offline, client = new QueryClient()) => {
    vi.stubGlobal('document', { cookie: '' })
    vi.stubGlobal('fetch', async () => Response.json(me))
    client.setQueryData(currentSession.queryKey, before)
    return client.fetchQuery({ ...currentSession, staleTime: 0 })
  }
  const meOf = (account: string) => ({
    user: { name: account, email: `${account}@mit.edu` },
    account,
    signIn: 'second',
  })

  it('has the name of its account from then on', async () => {
    expect(await askAgain(meOf('ada'))).toEqual(meOf('ada'))
  })

  it.each([
    ['that check', (client: QueryClient) => askAgain(meOf('ada'), offline, client)],
    [
      'another check',
      async (client: QueryClient) => {
        vi.stubGlobal('document', { cookie: '' })
        vi.stubGlobal('fetch', async () => Response.json(meOf('ada')))
        client.setQueryData(currentSession.queryKey, offline)
        await checkSession(client)
      },
    ],
  ])('fetches what is shown once %s reaches the server', async (_which, reach) => {
    const client = new QueryClient()
    client.setQueryData(['shown'], 'before')
    await reach(client)
    expect(client.getQueryState(['shown'])?.isInvalidated).toBe(true)
  })

  it('leads through the sign-in to its address', async () => {
    const before = { user: null, from: '/founders/add', isOffline: true } as const
    expect(await askAgain({ user: null }, before)).toEqual({ user: null, from: '/founders/add' })
  })

  it('stays that of its account when another one is signed in meanwhile, and says so', async () => {
    expect(await askAgain(meOf('bob'))).toEqual(offline)
    expect(otherAccount.get()?.account).toBe('bob')
    otherAccount.set(undefined)
  })

  it('is signed out when the session has ended', async () => {
    expect(await askAgain({ user: null })).toEqual({ user: null })
  })
})
