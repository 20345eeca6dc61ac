import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { get, onSessionEnd, post } from '../http.ts'
import { LOGOUT, setSignedIn, signOutBy } from './sign-out.ts'

/** The calls that the server reads, in order, and the answers that it still owes. */
const server = () => {
  const read: string[] = []
  const owed = new Map<string, (answer: Response) => void>()
  vi.stubGlobal('fetch', (address: string) => {
    read.push(address)
    return new Promise<Response>((resolve) => owed.set(address, resolve))
  })
  const answer = async (address: string, response: Response) => {
    await vi.waitFor(() => expect([...owed.keys()]).toContain(address))
    owed.get(address)?.(response)
  }
  return { read, answer }
}

const signOut = () => signOutBy(() => post<void>(LOGOUT))
const done = () => new Response(null, { status: 204 })

const ended = vi.fn()
beforeEach(() => {
  vi.stubGlobal('document', { cookie: '' })
  ended.mockClear()
  onSessionEnd(ended)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  setSignedIn(true)
})

describe('A sign-out', () => {
  it('waits for the calls before it, and those that follow are not sent', async () => {
    const { read, answer } = server()
    const counts = get('/counts')
    await vi.waitFor(() => expect(read).toHaveLength(1))
    const signedOut = signOut()
    const later = get('/later').catch((failure) => failure)
    await answer('/api/counts', Response.json({}))
    await counts
    await answer('/api/auth/logout', done())
    await signedOut
    expect(await later).toMatchObject({ status: 401, endsSession: true })
    expect(read).toEqual(['/api/counts', '/api/auth/logout'])
    expect(ended).not.toHaveBeenCalled()
  })

  it('that fails sends what waited', async () => {
    const { read, answer } = server()
    const failed = signOut().catch((failure) => failure)
    const later = get('/later')
    await answer('/api/auth/logout', Response.json({ error: 'Busy' }, { status: 503 }))
    expect(await failed).toMatchObject({ status: 503 })
    await answer('/api/later', Response.json({ is: 'there' }))
    expect(await later).toEqual({ is: 'there' })
    expect(read).toEqual(['/api/auth/logout', '/api/later'])
  })

  it('leaves the calls of a signed-out person and the next sign-in alone', async () => {
    const { read, answer } = server()
    const signedOut = signOut()
    await answer('/api/auth/logout', done())
    await signedOut
    const open = post('/auth/check-user', {}, { open: true })
    setSignedIn(true)
    const counts = get('/counts')
    await answer('/api/auth/check-user', Response.json({}))
    await answer('/api/counts', Response.json({}))
    await Promise.all([open, counts])
    expect(read).toEqual(['/api/auth/logout', '/api/auth/check-user', '/api/counts'])
  })

  it('waits two seconds at most', async () => {
    vi.useFakeTimers()
    const { read, answer } = server()
    const exported = get('/export')
    const signedOut = signOut()
    await vi.advanceTimersByTimeAsync(1_999)
    expect(read).toEqual(['/api/export'])
    await vi.advanceTimersByTimeAsync(1)
    expect(read).toEqual(['/api/export', '/api/auth/logout'])
    vi.useRealTimers()
    await answer('/api/export', Response.json({}))
    await answer('/api/auth/logout', done())
    await Promise.all([exported, signedOut])
  })
})
