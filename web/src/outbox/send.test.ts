import { notifications } from '@mantine/notifications'
import { QueryClient } from '@tanstack/react-query'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { kindNamed } from '#contract/kinds.ts'
import { onSessionEnd } from '#web/lib/http.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { keepWaiting } from './keep-waiting.ts'
import { sendWaiting } from './send.ts'
import { type WaitingForm, waitingForms } from './waiting-forms.ts'

const [ADA, HOUR, SECOND] = ['ada:first', 3_600_000, 1000]

/** Storage of a browser, whose own keys are its entries. */
function createStorage() {
  const entries: Record<string, string> = Object.create({
    getItem: (key: string) => entries[key] ?? null,
    setItem: (key: string, text: string) => {
      entries[key] = text
    },
    removeItem: (key: string) => delete entries[key],
  })
  return entries
}

type Reply = () => Response
const reply =
  (status: number, body: object = {}, headers: Record<string, string> = {}): Reply =>
  () =>
    Response.json(body, { status, headers })
const made = reply(201, { id: 'one', name: 'Grace' })
const broken: Reply = () => new Response('{"id":"on', { status: 201 })
const noNetwork: Reply = () => {
  throw new TypeError('Failed to fetch')
}

/** The keys of the forms that the server got, in order. */
let sent: string[]

/** A server that gives these responses to forms, and from then on the last one. */
function serve(replies: Reply[], signedIn: string | null = ADA) {
  const [account, signIn] = signedIn?.split(':') ?? []
  vi.stubGlobal('fetch', async (path: string, { method, headers }: { method: string; headers: Headers }) => {
    if (method === 'GET') return Response.json({ user: signedIn && { email: 'ada@mit.edu' }, account, signIn })
    expect(path).toBe('/api/founders')
    sent.push(headers.get('Idempotency-Key') ?? '')
    return (replies.length > 1 ? replies.shift() : replies[0])?.()
  })
}

const leave = (form: Partial<WaitingForm> = {}) =>
  waitingForms.keep(ADA, { id: '1.1', kind: 'founder', key: 'key', values: { name: 'Grace' }, ...form })

const send = () => sendWaiting(new QueryClient(), ADA)
const refusals = () => waitingForms.list(ADA).map(({ refusal }) => refusal)

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
})
afterAll(() => {
  vi.useRealTimers()
})
beforeEach(() => {
  vi.stubGlobal('localStorage', createStorage())
  vi.stubGlobal('document', { cookie: '' })
  sent = []
})
afterEach(() => {
  // No rest that a server asked for outlasts its test.
  vi.advanceTimersByTime(HOUR)
  vi.unstubAllGlobals()
  notifications.clean()
})

describe('What waits on the device', () => {
  it('is sent once each, the oldest first, each with its own key', async () => {
    serve([made])
    leave({ id: '2.1', key: 'second' })
    leave({ id: '1.1', key: 'first' })
    await send()
    await send()
    expect(sent).toEqual(['first', 'second'])
    expect(refusals()).toEqual([])
  })

  it('is sent once by two attempts at the same time', async () => {
    serve([made])
    leave()
    await Promise.all([send(), send()])
    expect(sent).toEqual(['key'])
  })

  it.each([null, 'grace:first', 'ada:second'])('is not sent while %s is signed in', async (signedIn) => {
    serve([made], signedIn)
    leave()
    await send()
    expect(sent).toEqual([])
    expect(refusals()).toEqual([undefined])
  })

  it('stays without a word when another account signs in at that moment', async () => {
    serve([reply(409, { error: 'Another account.', code: 'other_account' }), made])
    leave()
    expect(await send()).toBe(30 * SECOND)
    expect(refusals()).toEqual([undefined])
    expect(waitingForms.list(ADA)[0]?.triedAt, 'the server has not looked at it').toBeUndefined()
    await send()
    expect(refusals()).toEqual([])
  })

  it('stays without a word when the session has ended, and is sent after the sign-in', async () => {
    const ended = vi.fn()
    onSessionEnd(ended)
    serve([reply(401, { error: 'Log in.' }), made])
    leave()
    leave({ id: '2.1', key: 'second' })
    await send()
    expect(ended).toHaveBeenCalledOnce()
    expect(sent).toEqual(['key'])
    expect(refusals()).toEqual([undefined, undefined])
    await send()
    expect(sent).toEqual(['key', 'key', 'second'])
  })

  it('is sent with a new token when its own was refused', async () => {
    serve([reply(403, { code: 'forgery' }), made])
    leave()
    await send()
    expect(sent).toEqual(['key', 'key'])
    expect(refusals()).toEqual([])
  })

  it.each([429, 503])('waits after %d as long as the server asks, whatever happens on the page', async (status) => {
    serve([reply(status, { error: 'Too much.' }, { 'Retry-After': '60' }), made])
    leave()
    expect(await send()).toBe(60 * SECOND)
    vi.advanceTimersByTime(SECOND)
    expect(await send()).toBe(59 * SECOND)
    expect(sent).toHaveLength(1)
    expect(refusals()).toEqual([undefined])
    vi.advanceTimersByTime(60 * SECOND)
    await send()
    expect(sent).toEqual(['key', 'key'])
    expect(refusals()).toEqual([])
  })

  it.each([502, 503, 504])('waits half a minute after %d of a server that restarts', async (status) => {
    serve([reply(status), made])
    leave()
    expect(await send()).toBe(30 * SECOND)
    expect(refusals()).toEqual([undefined])
    vi.advanceTimersByTime(30 * SECOND)
    await send()
    expect(sent).toEqual(['key', 'key'])
  })

  it('is sent again after one 500, and after a second one is shown with its sentence', { tags: 'slow' }, async () => {
    serve([reply(500), made])
    leave()
    await send()
    expect(refusals()).toEqual([])
    serve([reply(500, { error: 'Something went wrong.' })])
    leave()
    await send()
    await send()
    expect(sent).toHaveLength(4)
    expect(refusals()).toEqual(['Something went wrong.'])
    expect(waitingForms.list(ADA)[0]?.triedAt, 'the server may have saved it').toBe(Date.now())
  })

  it.each([
    ['that breaks off', broken],
    ['that never comes', noNetwork],
    ['of another network, which asks for a sign-in', () => new Response('<html>')],
  ])('is sent again with the same key after a response %s', async (_which, lost) => {
    serve([lost, made])
    leave()
    expect(await send()).toBeLessThanOrEqual(30 * SECOND)
    expect(refusals()).toEqual([undefined])
    await send()
    expect(sent).toEqual(['key', 'key'])
    expect(refusals()).toEqual([])
  })

  it.each([400, 403, 409, 422])('is shown with the sentence of a %d, and not sent again', async (status) => {
    serve([reply(status, { error: 'Check the form', fields: status === 400 ? { notes: 'Write less' } : {} }), made])
    leave()
    await send()
    await send()
    expect(sent).toHaveLength(1)
    expect(refusals()).toEqual([status === 400 ? 'Write less' : 'Check the form'])
  })

  it('is not sent after a day in which the server may have saved it, unless the person says so', async () => {
    serve([noNetwork])
    leave()
    await send()
    vi.advanceTimersByTime(23 * HOUR + SECOND)
    serve([made])
    await send()
    expect(sent).toHaveLength(1)
    expect(refusals()).toEqual([expect.stringContaining('This may have been saved')])
    waitingForms.keep(ADA, { ...(waitingForms.list(ADA)[0] as WaitingForm), refusal: undefined })
    await send()
    expect(sent).toHaveLength(2)
    expect(refusals()).toEqual([])
  })

  it('is sent within that day, and however late if no attempt reached the server', async () => {
    serve([noNetwork])
    leave()
    await send()
    vi.advanceTimersByTime(22 * HOUR)
    leave({ id: '0.1', key: 'never tried' })
    serve([made])
    await send()
    expect(sent).toEqual(['key', 'never tried', 'key'])
    leave({ id: '0.2', key: 'a week later' })
    vi.advanceTimersByTime(7 * 24 * HOUR)
    await send()
    expect(sent.at(-1)).toBe('a week later')
    expect(refusals()).toEqual([])
  })

  it('stays if this version of the page has no such kind of record', async () => {
    serve([made])
    leave({ kind: 'planet' })
    await send()
    expect(sent).toEqual([])
    expect(refusals()).toEqual([undefined])
  })
})

describe('A form of an earlier sign-in', () => {
  const signIn = { account: 'ada', signIn: 'first', email: 'ada@mit.edu' }
  const names = () => waitingForms.listEarlier(signIn).map(({ values }) => values.name)
  const plant = (owner: string, name: string) =>
    waitingForms.keep(owner, { id: '1.1', kind: 'founder', key: 'planted', values: { name, rating: 10 } })

  it.each(['ada:earlier', 'ada@mit.edu'])(
    'is offered to its account alone, and not sent by itself: %s',
    async (owner) => {
      serve([made])
      plant(owner, 'Planted')
      await send()
      expect(sent).toEqual([])
      expect(names()).toEqual(['Planted'])
      expect(waitingForms.listEarlier({ account: 'grace', signIn: 'first', email: 'grace@mit.edu' })).toEqual([])
    },
  )

  it('is sent once the person says so', async () => {
    serve([made])
    plant('ada:earlier', 'Chosen')
    for (const form of waitingForms.listEarlier(signIn)) waitingForms.take(ADA, form)
    await send()
    expect(sent).toEqual(['planted'])
    expect(names()).toEqual([])
  })

  it('goes with the others when the person discards all', () => {
    leave()
    for (const owner of ['ada:earlier', 'ada@mit.edu', 'grace:earlier']) plant(owner, 'Old')
    waitingForms.deleteAll(signIn)
    expect(Object.keys(localStorage)).toEqual(['waiting:grace:earlier:1.1'])
  })
})

describe('A form that has begun to wait', () => {
  it('asks the browser to keep what the site stores', async () => {
    const persist = vi.fn(async () => true)
    vi.stubGlobal('navigator', { storage: { persist } })
    vi.stubGlobal('fetch', noNetwork)
    const kind = kindNamed('founder') as RecordKind
    await keepWaiting({ kind, account: ADA, edited: undefined }, { values: { name: 'Ada' }, key: 'k' }, false)
    expect(waitingForms.list(ADA)).toHaveLength(1)
    expect(persist).toHaveBeenCalledOnce()
  })
})
