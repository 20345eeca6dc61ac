import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { kindNamed } from '#contract/kinds.ts'
import type { LiveEvent } from '#contract/live.ts'
import { listFellows } from '#web/fellows/api.ts'
import { countInbox, listInbox } from '#web/inbox/api.ts'
import { opinionsKey } from '#web/opinions/api.ts'
import { getPipeline } from '#web/pipeline/api.ts'
import { sendingKey } from '#web/programme/keys.ts'
import { getRecord } from '#web/records/api.ts'
import { searchesKey } from '#web/searches/api.ts'
import { invalidateForEvents } from './live-updates.ts'

const founder = kindNamed('founder')

let asked: string[]
let client: QueryClient
beforeEach(() => {
  asked = []
  // Without `retry` it depends on whether an earlier test in this process had a `window`.
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    return Response.json(path.startsWith('/api/inbox?') ? [] : { id: 'one', name: 'Ada' })
  })
})
afterEach(() => {
  client.clear()
  vi.unstubAllGlobals()
})

/** A screen that shows this data, which is fetched. */
const show = (query: { queryKey: readonly unknown[] }) =>
  new QueryObserver(client, { staleTime: Number.POSITIVE_INFINITY, ...query } as object as never).subscribe(() => {})

const receive = async (event: LiveEvent) => {
  // What answers are read with may load first.
  await vi.waitFor(() => expect(client.isFetching()).toBe(0), { timeout: 20_000 })
  asked = []
  await invalidateForEvents(client, [event])
  return asked
}

describe('A change of many records, which names none,', () => {
  it.each(['updated', 'deleted', 'notes', 'merged', 'tags', 'pipeline'] as const)(
    'brings the record on the screen up to date: %s',
    async (change) => {
      show(getRecord(founder, 'one'))
      expect(await receive({ kind: 'founder', change })).toContain('/api/founders/one')
      expect(await receive({ kind: 'company', change })).not.toContain('/api/founders/one')
    },
  )

  it('brings the panels on its page up to date too', async () => {
    show(getRecord(founder, 'one'))
    show(getPipeline('one'))
    const opinions = { queryKey: opinionsKey('one'), queryFn: () => fetch('opinions').then((answer) => answer.json()) }
    show(opinions)
    const news = await receive({ kind: 'founder', change: 'pipeline' })
    expect(news).toEqual(expect.arrayContaining(['/api/founders/one', '/api/records/one/pipeline', 'opinions']))
  })

  it('fetches no record that is not on the screen', async () => {
    await client.fetchQuery(getRecord(founder, 'one'))
    expect(await receive({ kind: 'founder', change: 'tags' })).toEqual([])
  })
})

describe('A change of people', () => {
  it('brings the people on the screen up to date, and nothing else', async () => {
    show(getRecord(founder, 'one'))
    show(listFellows('ada'))
    const people = { queryKey: ['programme', 'people', 'x'], queryFn: () => fetch('people').then((one) => one.json()) }
    show(people)
    expect((await receive({ kind: 'people' })).sort()).toEqual(['/api/fellows?search=ada', 'people'])
  })
})

describe('A change of shared searches', () => {
  it('brings the searches on the screen and those of channels up to date, and nothing else', async () => {
    show(getRecord(founder, 'one'))
    show({ queryKey: searchesKey, queryFn: () => fetch('searches').then((one) => one.json()) } as never)
    show({ queryKey: sendingKey, queryFn: () => fetch('channels').then((one) => one.json()) } as never)
    expect((await receive({ kind: 'searches' })).toSorted()).toEqual(['channels', 'searches'])
  })
})

describe('What concerns the inbox', () => {
  it('asks again for the record on the screen, whose answer says until when it is seen, and for none of its parts', async () => {
    show(getRecord(founder, 'one'))
    show(getPipeline('one'))
    await client.fetchQuery(getRecord(founder, 'two'))
    expect(await receive({ kind: 'inbox' })).toEqual(['/api/founders/one'])
  })

  const showInbox = () => {
    show(countInbox)
    new InfiniteQueryObserver(client, listInbox({ group: 'you', state: 'open' }) as never).subscribe(() => {})
  }

  it('brings its number and its list up to date within a second', async () => {
    showInbox()
    const news = await receive({ kind: 'inbox' })
    expect(news.map((path) => path.split('?')[0]).toSorted()).toEqual(['/api/inbox', '/api/inbox/count'])
  })

  it('is who waits for approval too', async () => {
    showInbox()
    const news = await receive({ kind: 'people' })
    expect(news.map((path) => path.split('?')[0]).toSorted()).toEqual(['/api/inbox', '/api/inbox/count'])
  })

  it('comes with the next screen where it is news of a record', async () => {
    showInbox()
    expect(await receive({ kind: 'founder', change: 'notes', id: 'other' })).toEqual([])
    expect(client.getQueryState(countInbox.queryKey)?.isInvalidated).toBe(true)
  })
})
