import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { rowsOf as query } from '#server/db/database.ts'
import { createEmptyApp, csv, NONE, upload } from '#server/import/test/import-file.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import type { TestClient } from '#server/test/test-app.ts'
import { splitText } from './split.ts'

// How long it takes is in docs/performance.md.

const test = createEmptyApp()
const FOUNDERS = 3_000
const NOTES = 9_000
/** One note of so many is long. */
const LONG_EVERY = 100

const text = (at: number) =>
  at % LONG_EVERY === 0
    ? `Note ${at}. ${'Sie baut Roboter für Gärten, 👩‍👩‍👧‍👦 inklusive.\n'.repeat(60)}End ${at}`
    : `Note ${at}: met at the fair`
const day = (at: number) => new Date(Date.UTC(2019, 0, 1 + Math.floor(at / FOUNDERS), 9, 0, at % 60)).toISOString()

async function ended(client: TestClient, id: string) {
  const get = async () => (await client.get(`/api/imports/${id}`)).body
  await expect
    .poll(async () => (await get()).state, { timeout: 1_800_000, interval: 200 })
    .not.toMatch(/^(reading|running|reverting)$/)
  return get()
}

it('9,000 notes on 3,000 founders: each on its record with author and date, no character lost, one revert takes all back', async () => {
  const { client } = await fellowOf(test, { role: 'manager' })
  const fellows = await Promise.all(
    [0, 1, 2].map(() => fellowOf(test, { emailVerified: true }).then(({ account }) => account)),
  )
  const ids: string[] = []
  for (let at = 0; at < FOUNDERS; at += 1) {
    const name = `Founder ${at} ${'abcdefghij'[at % 10]}son`
    ids.push((await makeFounder(test.db, { name, linkedIn: `https://www.linkedin.com/in/founder-${at}` })).id)
  }
  const lines = Array.from({ length: NOTES }, (_, at) => {
    const founder = at % FOUNDERS
    const author = fellows[at % 4]?.email ?? 'Tom Baker'
    const address = at % 2 === 0 ? `linkedin.com/in/founder-${founder}` : ''
    return `Founder ${founder} ${'abcdefghij'[founder % 10]}son,${address},${author},${day(at)},"${text(at)}"`
  })
  const derived = () =>
    query(
      test.db,
      sql`select id, notes_count, last_note_at,
        (select count(*)::int from record_members where record_id = records.id) as members from records order by id`,
    )
  const before = await derived()
  const times: string[] = []
  const timed = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    const began = performance.now()
    const result = await work()
    times.push(`${what} ${((performance.now() - began) / 1_000).toFixed(0)} s`)
    return result
  }

  const file = csv('Record,LinkedIn,Author,Date,Note text', ...lines)
  const ready = await timed('read', async () => ended(client, (await upload(client, file, 'notes.csv')).body.id))
  const added = Array.from({ length: NOTES }, (_, at) => splitText(text(at)).length).reduce((sum, one) => sum + one, 0)
  const counts = { ...NONE, created: NOTES, notes: added, records: FOUNDERS }
  expect(ready).toMatchObject({ kind: 'note', state: 'ready', counts })
  const act = async (what: 'run' | 'revert') => {
    await client.post(`/api/imports/${ready.id}/${what}`)
    return ended(client, ready.id)
  }
  expect(await timed('import', () => act('run'))).toMatchObject({ state: 'done', counts })

  const written = await query<{ record: string; author: string; at: string; content: string }>(
    test.db,
    sql`select record_id as record, coalesce(accounts.email, author_text) as author,
        to_char(notes.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
        string_agg(content, '' order by notes.id desc) as content
      from notes left join accounts on accounts.id = author_id
      group by record_id, accounts.email, author_text, notes.created_at`,
  )
  const keyOf = (one: (typeof written)[number]) => JSON.stringify([one.record, one.author, one.at, one.content])
  const wanted = Array.from({ length: NOTES }, (_, at) => ({
    ...{ record: ids[at % FOUNDERS] ?? '', author: fellows[at % 4]?.email ?? 'Tom Baker' },
    ...{ at: day(at), content: text(at) },
  }))
  expect(new Set(written.map(keyOf))).toEqual(new Set(wanted.map(keyOf)))
  expect(written).toHaveLength(NOTES)

  const again = await timed('read again', async () => ended(client, (await upload(client, file, 'notes.csv')).body.id))
  expect(again.counts).toMatchObject({ ...NONE, same: NOTES })
  expect(await timed('revert', () => act('revert'))).toMatchObject({ state: 'reverted', counts: { reverted: NOTES } })
  expect(await derived()).toEqual(before)
  expect(await query(test.db, sql`select id from notes limit 1`)).toEqual([])
  console.info(times.join(', '))
})
