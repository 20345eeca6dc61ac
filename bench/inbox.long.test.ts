import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { PASSWORD } from '#server/test/factories.ts'
import { show, timed } from '#server/test/figures.ts'
import { type PostgresServer, startPostgres } from '#server/test/postgres-server.ts'
import { type Caller, signIn } from './caller.ts'
import { measure } from './load.ts'
import { type Product, startProduct } from './product.ts'
import { loadPostgres, openWorld, type World } from './world.ts'

// `LONG=1`, or `npm run test:long -- measured`. Everything is on this machine, and ends with this run.

const FOUNDERS = Number(process.env.FOUNDERS ?? 100_000)
const SECONDS = Number(process.env.SECONDS ?? 10)
const FOLLOWED = 5_000
const WATCHED = 20
const STREAMS = 60
/** One browser of many devices. */
const DEVICES = 20

/** Half of them of founders, half of companies, with words, filters and neither. */
const QUERIES = [
  '',
  'ratingMin=8',
  'hasNotes=true',
  'stage=none',
  'search=ai',
  'search=data',
  'mine=true',
  'sort=rating',
]

let postgres: PostgresServer
let product: Product
let world: World
let fellow: Caller
let email: string
let me: string
beforeAll(async () => {
  postgres = await startPostgres({ durable: true, overNetwork: true })
  const place = { DATABASE_URL: postgres.url('postgres') }
  world = await loadPostgres(place.DATABASE_URL, FOUNDERS, show)
  const database = await openWorld(place)
  const { db } = database
  // The fellow whose own records are nearest to the number, all of them with news: a tenth of the last week.
  const members = await rowsOf<{ email: string }>(
    db,
    sql`select email from record_members join accounts on accounts.id = account_id group by email
      order by abs(count(*) - ${FOLLOWED}) limit 1`,
  )
  email = members[0]?.email ?? ''
  const of = sql`(select id from accounts where email = ${email})`
  await db.execute(sql`update accounts set inbox_since = now() - interval '1 year'`)
  await db.execute(sql`
    with chosen as (
      select record_id as id, row_number() over (order by record_id desc) as place from record_members
      where account_id = ${of} limit ${FOLLOWED}
    )
    update records set last_activity_at = now() - make_interval(mins => 20 * chosen.place::int),
      last_activity_by = (select id from accounts where email <> ${email} order by id limit 1)
    from chosen where chosen.id = records.id`)
  // Acts on many have changed a tenth of them last.
  await db.execute(sql`
    with act as (
      insert into bulk_acts (id, account_id, sets_tag, sets_stage, sets_responsible)
      select gen_random_uuid(), (select id from accounts where email <> ${email} order by id limit 1), true, false, false
      from generate_series(1, 10) returning id
    ), acts as (select id, row_number() over () as place from act),
    changed as (
      select record_id as id, row_number() over (order by record_id) as place from record_members
      where account_id = ${of} order by record_id limit ${FOLLOWED / 10}
    )
    insert into bulk_rows (bulk_id, place, record_id, active_at, active_before)
    select acts.id, changed.place, changed.id, last_activity_at, 'epoch'
    from changed join records on records.id = changed.id join acts on acts.place = 1 + changed.place % 10`)
  await db.execute(sql`
    with saved as (
      insert into saved_searches (id, account_id, kind, name, query, is_shared, is_pinned)
      select gen_random_uuid(), ${of}, (array['founder', 'company'])[1 + n % 2], 'Search ' || n,
        (select coalesce(jsonb_object_agg(split_part(one, '=', 1), split_part(one, '=', 2)) filter (where one <> ''), '{}')
          from unnest(array[(${sql.param(QUERIES)}::text[])[1 + n % ${QUERIES.length}]]) one), false, false
      from generate_series(1, ${WATCHED}) n returning id
    )
    insert into search_watches (account_id, search_id, seen_until) select ${of}, id, now() - interval '7 days' from saved`)
  // Others have seen lines too: PostgreSQL would read a table that it knows as empty as a whole.
  await db.execute(sql`
    insert into inbox_seen (account_id, kind, subject, seen_until)
    select account_id, 'followed', record_id, now() from record_members where account_id <> ${of} order by record_id limit ${2 * FOLLOWED}`)
  await database.execute('vacuum analyze')
  me = (await rowsOf<{ id: string }>(db, sql`select public_id as id from accounts where email = ${email}`))[0]?.id ?? ''
  await database.close()
  product = await startProduct({ ...place, LOG_LEVEL: 'silent' })
  fellow = await signIn(product.url, email, PASSWORD)
}, 3_600_000)
afterAll(async () => {
  await product?.end('SIGKILL')
  await postgres?.stop()
})

describe(`Among ${FOUNDERS} founders, with ${FOLLOWED} followed records and ${WATCHED} watched searches, at ten connections`, () => {
  const answers = async (name: string, path: string, limit: number) => {
    const { rate, p50, p99 } = await measure(product.url, {
      ...{ requests: [{ method: 'GET', path }], headers: fellow.headers, seconds: SECONDS },
    })
    show(`${name}: ${rate.toFixed(0)}/s, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms (limit ${limit})`)
    expect.soft(p99).toBeLessThanOrEqual(limit)
  }

  it.each(['with news', 'with all of it done'])(
    'inbox and count answer at a p99 of 150 and 50 ms, %s',
    async (state) => {
      if (state !== 'with news') {
        await fellow.post('/api/inbox/done', { until: new Date().toISOString() })
      }
      await answers(`For you, ${state}`, '/api/inbox?group=you&state=open', 150)
      await answers(`News, ${state}`, '/api/inbox?group=news&state=open', 150)
      await answers(`the count, ${state}`, '/api/inbox/count', 50)
    },
    240_000,
  )
})

it(`With ${STREAMS} open streams a line For you is on every device within a second`, async () => {
  const others = await Promise.all(
    world.emails
      .filter((one) => one !== email)
      .slice(0, 3)
      .map((one) => signIn(product.url, one, PASSWORD)),
  )
  const writer = others[0] as Caller
  const [founder] = (await writer.page('/api/founders?limit=1')).rows
  const arrivals: number[] = []
  const stop = new AbortController()
  const listen = async ({ headers }: Caller, isMine: boolean) => {
    const answer = await fetch(`${product.url}/api/events`, { headers, signal: stop.signal })
    const read = async () => {
      for await (const chunk of (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
        if (isMine && chunk.includes('"inbox"')) arrivals.push(performance.now())
      }
    }
    void read().catch(() => {})
  }
  const readers = Array.from({ length: STREAMS }, (_, at) =>
    at < DEVICES ? fellow : (others[at % others.length] as Caller),
  )
  await Promise.all(readers.map((reader) => listen(reader, reader === fellow)))
  const waits: number[] = []
  for (let round = 0; round < 20; round += 1) {
    arrivals.length = 0
    const began = performance.now()
    const content = `@x ${round}`
    await writer.post(`/api/notes/founder/${founder?.id}`, { content, mentions: [{ id: me, at: 0, length: 2 }] })
    await expect.poll(() => arrivals.length, { timeout: 5_000, interval: 5 }).toBeGreaterThanOrEqual(DEVICES)
    const { ms: reading } = await timed(() => fellow.get('/api/inbox?group=you&state=open'))
    waits.push(Math.max(...arrivals) - began + reading)
  }
  stop.abort()
  show(`A line For you on ${DEVICES} devices: slowest of ${waits.length} ${Math.max(...waits).toFixed(0)} ms`)
  expect(Math.max(...waits)).toBeLessThanOrEqual(1_000)
}, 120_000)
