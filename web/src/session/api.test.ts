import { afterEach, describe, expect, it, vi } from 'vitest'
import { getCurrentUser } from './api.ts'

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
