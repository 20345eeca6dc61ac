import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { weekOf } from '#contract/weeks.ts'
import { addedSince } from '#server/lists/cohorts/since.ts'
import type { Fellow } from '../scripts/seed/large-world.ts'
import { loadLargeWorld } from '../scripts/seed/load-large-world.ts'
import { type AuditSearch, searchAuditLog } from './audit-log/search.ts'
import type { Account } from './auth/sessions/session.ts'
import { findAccount } from './auth/store.ts'
import { rowsOf } from './db/database.ts'
import { type Statement, startTape } from './db/test/statement-tape.ts'
import { sendDigests } from './digest/send.ts'
import { deleteOldDigestMails, listNamedTo } from './digest/store.ts'
import { countExported } from './export/store.ts'
import { endOfFeed, findNews } from './feed/feed.ts'
import { hideImport } from './import/jobs/stop.ts'
import { planNotes } from './import/targets/notes/plan-notes.ts'
import { namesOnPage } from './inbox/kind.ts'
import { hasWaited } from './inbox/store.ts'
import { kinds } from './kinds.ts'
import { countHandOver } from './pipeline/hand-over.ts'
import { moveAll } from './records/test/large-pipelines.ts'
import { signCohort } from './test/cohorts.ts'
import { PASSWORD } from './test/factories.ts'
import { quietLog } from './test/quiet-log.ts'
import { startTestApp, type TestApp, type TestClient } from './test/test-app.ts'
import { superuserUrl } from './test/test-database.ts'

// The embedded database is PostgreSQL with the same planner, so checking one of them is enough.

/**
 * Enough that reading a whole table is clearly more expensive than using any index, and so few that ANALYZE reads all of them:
 * statistics of a sample would make plans differ from one run to the next.
 */
const WORLD = { founders: 12_000, companies: 12_000, notes: 9_000, fellows: 100 }
let cohort: string

const GROWING = [
  ...['records', 'notes', 'record_members', 'audit_log', 'denied_requests'],
  ...['finders', 'merges', 'dismissals', 'duplicate_pairs', 'links', 'imports', 'import_rows', 'stage_changes'],
  ...['opinions', 'opinion_readings', 'opinion_reveals', 'assignments'],
  ...['record_tags', 'bulk_acts', 'bulk_rows', 'ended_steps'],
  ...['mentions', 'opinion_asks', 'passings', 'follows', 'inbox_seen', 'namings'],
  ...['digest_mails', 'digest_records'],
]
/** The rows of a table that a statement may touch: a page and its notes, or the rows that a search scans. */
const PAGE_ROWS = 600
const LOOK_ROWS = 12_000
/** Names that share a key with a typed one: 200 are read, and some of them more than once. */
const SIMILAR_ROWS = 1_500
/** A page of each column. */
const BOARD_ROWS = 2_000
/** The records with a note in a span of time, read from an index alone. */
const SPAN_ROWS = 3_000
/** What was added or acted on last, of which one more is read than may be counted. */
const LOOKED_ROWS = 1_200
/** What a fellow has changed in bulk in a day. */
const CHANGED_ROWS = 1_500
/** What one fellow was named in, given and asked, and the records that the fellow follows. */
const INBOX_ROWS = 2_000
/** A week of the year in which records were added. */
const WEEK = weekOf(Date.now() - 100 * 86_400_000)
const WEEK_ROWS = 2_000
/** All notes of a batch of an export. */
const EXPORT_ROWS = 2_000

type Node = { [key: string]: unknown; Plans?: Node[] }
type Read = { table: string; index: string | undefined; rows: number }

let test: TestApp
let client: TestClient
let planner: pg.Client
let tape: ReturnType<typeof startTape>
let one: { id: string; name: string; version: number; linkedIn: string }
let other: { id: string }
let foreign: { id: string }
let company: { id: string; name: string }
let atCompany: string
let imported: string
let tag: string
let ownTag: string
let bulkId: string
let watched: string
let finder: string
let stage: string
let fellows: Fellow[]
/** The table of each index. */
let tableOf: Map<string, string>
beforeAll(async () => {
  // On a busy machine, making the world takes statements of more than ten seconds.
  test = await startTestApp({ STATEMENT_TIMEOUT_SECONDS: '120' })
  const world = await loadLargeWorld(test.database, { ...WORLD, until: new Date('2026-11-01'), more: moveAll })
  fellows = world.fellows
  await makeAuditLog()
  await makeReview()
  await makeLinks()
  await makeOpinions()
  await makeTags()
  await makeInboxes()
  await test.db.execute(sql`vacuum (analyze)`)
  planner = new pg.Client({ connectionString: await superuserUrl(test.db) })
  await planner.connect()
  const indexes = await planner.query(`select indexname, tablename from pg_indexes where schemaname = 'public'`)
  tableOf = new Map(indexes.rows.map(({ indexname, tablename }) => [indexname, tablename]))
  client = test.visitor()
  // A fellow with few records: for one who added a large share, reading the whole table is right.
  await client.post('/api/auth/login', { email: fellows.at(-1)?.email, password: PASSWORD })
  const mine = (await client.get('/api/founders?mine=true&limit=50')).body
  const [first, second] = mine.filter(({ can }: { can: { delete: boolean } }) => can.delete)
  const all = (await client.get('/api/founders?limit=50')).body
  foreign = all.find(({ can }: { can: { edit: boolean } }) => !can.edit)
  one = first
  other = second
  const [found] = await rowsOf<{ id: string; publicId: string }>(
    test.db,
    sql`select id, public_id as "publicId" from accounts where email = ${fellows.at(-1)?.email}`,
  )
  finder = found?.publicId ?? ''
  stage = (await client.get('/api/stages')).body[1].id
  imported = await makeImports()
  await client.post('/api/founders', { name: 'Quixotrope', linkedIn: 'https://x.example/q', notes: 'n' })
  cohort = await signCohort(test.db, found as { id: string }, addedSince, Date.now() - 200 * 86_400_000, Date.now())
  ownTag = (await client.post('/api/tags', { name: 'Quixotry' })).body.id
  await watchSearches()
  tape = startTape()
})
afterAll(async () => {
  tape?.stop()
  await planner?.end()
  await test?.close()
})

/** An audit log after years of use: edits of all records by all fellows, and sign-ins of one. */
async function makeAuditLog() {
  await test.db.execute(sql`
    insert into audit_log (at, account_email, action, kind, object_id)
    select created_at, 'fellow-' || (row_number() over ()) % 20 || '@mit.edu', 'update', kind, id from records
    union all select created_at, ${fellows[0]?.email}::text, 'login', 'account', id from accounts`)
  await test.db.execute(sql`
    insert into denied_requests (at, account_email, action, object_id)
    select created_at, 'stranger-' || (row_number() over ()) % 20 || '@mit.edu', 'update', id from records where kind = 'founder'
    union all select created_at, email, 'login', id from accounts`)
  // Entries of the feed in 150 days.
  await test.db.execute(sql`
    insert into audit_log (at, action, kind, object_id, after, transaction_id)
    select now() - interval '150 days' * (1 - number::float / ${WORLD.founders + WORLD.companies}),
      'create', kind, id, '{"name": "x"}', (1 + number / 100)::text::xid8
    from (select *, row_number() over (order by created_at, id) as number from records) records`)
  await test.db.execute(
    sql`update settings set value = (value::jsonb || '{"begunAt": "2020-01-01"}')::text where key = 'feed'`,
  )
}

/** Pairs, finders and merges of many records. */
async function makeReview() {
  await test.db.execute(sql`
    insert into duplicate_pairs (a, b, kind, reasons, score)
    select least(id, next), greatest(id, next), kind, '{name}', 70
    from (select id, kind, lead(id) over (partition by kind order by id) as next from records) neighbours
    where next is not null`)
  await test.db.execute(sql`
    insert into finders (record_id, account_id, via)
    select records.id, accounts.id, 'self' from records, lateral (
      select id from accounts where id <> records.creator_id order by md5(id::text || records.id::text) limit 1
    ) accounts where rating > 8 on conflict do nothing`)
  await test.db.execute(sql`
    insert into merges (id, kind, survivor_id, duplicate_id, account_id, before, after, moved, swaps_finder, merged_at)
    select gen_random_uuid(), kind, id, gen_random_uuid(), creator_id, '{}', '{}', '{}', false, now() - make_interval(mins => (row_number() over ())::int)
    from records where creator_id is not null`)
  await test.db.execute(sql`
    insert into dismissals (id, kind, a, b, account_id, dismissed_at)
    select gen_random_uuid(), kind, a, b, (select id from accounts limit 1), now() - make_interval(mins => (row_number() over ())::int)
    from duplicate_pairs where kind = 'company'`)
}

/** A link of each founder, 100 more of one company, and many founders with its name and its domain. */
async function makeLinks() {
  const [large] = await rowsOf<{ id: string; name: string }>(
    test.db,
    sql`select id, name from records where kind = 'company' order by created_at desc, id desc limit 1`,
  )
  company = large as typeof company
  const [founder] = await rowsOf<{ id: string }>(
    test.db,
    sql`select id from records where kind = 'founder' and rating = 9 limit 1`,
  )
  atCompany = founder?.id ?? ''
  await test.db.execute(sql`
    update records set domain_key = 'large.example' where id = ${company.id}`)
  await test.db.execute(sql`
    update records set
      search_text = split_part(search_text, E'\\x1f', 1) || E'\\x1f' || split_part(search_text, E'\\x1f', 2) || E'\\x1f' || lower(${company.name}),
      additional_info = jsonb_build_object('current_company', ${company.name}::text, 'email', 'ada@' || left(id::text, 1) || '.large.example')
    where kind = 'founder' and rating = 9`)
  await test.db.execute(sql`
    insert into links (id, founder_id, company_id, created_at)
    select gen_random_uuid(), founders.id, companies.id, founders.created_at
    from (select id, created_at, row_number() over (order by id) from records where kind = 'founder') founders
    join (select id, row_number() over (order by id) from records where kind = 'company') companies using (row_number)`)
  await test.db.execute(sql`
    insert into links (id, founder_id, company_id, created_at)
    select gen_random_uuid(), id, ${company.id}, created_at
    from (select id, created_at from records where kind = 'founder' and rating = 8 order by id limit 100) founders`)
}

/** A tag of every third record, further ones, and acts of all fellows on many records. */
async function makeTags() {
  await test.db.execute(sql`
    insert into tags (id, name, key)
    select gen_random_uuid(), 'Tag ' || number, 'tag ' || number from generate_series(1, 100) number`)
  const [large] = await rowsOf<{ id: string }>(test.db, sql`select id from tags where name = 'Tag 1'`)
  tag = large?.id ?? ''
  await test.db.execute(sql`
    insert into record_tags (id, record_id, kind, tag_id, created_at)
    select gen_random_uuid(), records.id, kind, ${tag}, records.created_at from records where abs(hashtext(id::text)) % 3 = 0
    union all
    select gen_random_uuid(), records.id, kind, tags.id, records.created_at from records
    join tags on tags.name = 'Tag ' || (2 + abs(hashtext('x' || records.id::text)) % 99)`)
  await test.db.execute(sql`
    insert into bulk_acts (id, account_id, sets_tag, sets_stage, sets_responsible, done_at)
    select gen_random_uuid(), accounts.id, false, true, false, now() - make_interval(mins => number)
    from accounts, generate_series(1, 50) number`)
  await test.db.execute(sql`
    insert into bulk_rows (bulk_id, place, record_id, is_stage_changed)
    select id, number, gen_random_uuid(), true from bulk_acts, generate_series(1, 20) number`)
  await test.db.execute(sql`
    insert into ended_steps (record_id, account_id, next_on, sequence, ended_at)
    select id, creator_id, '2026-01-01', 2, now() - make_interval(days => abs(hashtext(id::text)) % 900) from records
    where creator_id is not null`)
}

/** Two opinions on each of many founders, some after readings, and responsible fellows of others. */
async function makeOpinions() {
  await test.db.execute(sql`
    insert into opinions (id, record_id, kind, account_id, rating, is_after_reading, given_at)
    select gen_random_uuid(), records.id, kind, giver.id, 5, false, now() - make_interval(mins => (row_number() over ())::int)
    from records, lateral (
      select id from accounts where id <> records.creator_id order by md5(id::text || records.id::text) limit 2
    ) giver where rating > 8`)
  await test.db.execute(sql`
    insert into opinion_reveals (record_id, account_id)
    select id, creator_id from records where rating = 10 and creator_id is not null`)
  await test.db.execute(sql`
    insert into assignments (record_id, account_id, assigned_at)
    select id, creator_id, created_at from records where rating < 8 and creator_id is not null`)
  await test.db.execute(sql`
    update records set responsible_id = creator_id where rating < 3`)
}

/** What the inboxes of all fellows are read from. Half of the notes name a fellow, and half of the lines were seen. */
async function makeInboxes() {
  const anyone = sql.raw(`(select id from accounts order by md5(accounts.id::text || one.id::text) limit 1)`)
  await test.db.execute(sql`
    insert into mentions (note_id, start, length, record_id, account_id, created_at)
    select id, 0, 2, record_id, ${anyone}, created_at from notes one where hashtext(id::text) % 2 = 0`)
  await test.db.execute(sql`update notes set has_mentions = true where id in (select note_id from mentions)`)
  await test.db.execute(sql`
    insert into opinion_asks (record_id, account_id, asked_by, asked_at)
    select id, ${anyone}, creator_id, created_at from records one where creator_id is not null and rating > 6`)
  await test.db.execute(sql`
    insert into passings (record_id, passed_by, passed_at)
    select id, creator_id, created_at from records where creator_id is not null and status = 'passed'`)
  await test.db.execute(sql`
    update records set look_again_on = created_at::date + 90 where status = 'passed' and hashtext(id::text) % 2 = 0`)
  await test.db.execute(sql`
    insert into follows (record_id, account_id, is_muted)
    select id, ${anyone}, hashtext(id::text) % 2 = 0 from records one where rating = 6`)
  await test.db.execute(sql`
    insert into inbox_seen (account_id, kind, subject, seen_until)
    select account_id, 'mention', record_id, max(created_at) from mentions group by 1, 2, 3`)
  await test.db.execute(sql`
    insert into namings (account_id, named_at, count)
    select id, now() - make_interval(hours => number), 1 from accounts, generate_series(1, 100) number`)
  await test.db.execute(sql`update accounts set inbox_since = now() - interval '2 years'`)
  await test.db.execute(sql`
    insert into digest_mails (account_id, day, taken_at, sent_at)
    select id, '2025-01-01'::date + number, now(), now() from accounts, generate_series(1, 30) number`)
  await test.db.execute(sql`
    insert into digest_records (record_id, account_id, named_at)
    select one.id, accounts.id, now() from accounts, lateral (
      select id from records order by md5(records.id::text || accounts.id::text) limit 100
    ) one`)
}

/** Many imports of all fellows, with many rows. Returns one of the caller's. */
async function makeImports(): Promise<string> {
  await test.db.execute(sql`
    insert into imports (id, account_id, file_name, state, kind, dialect, columns, mapping, last_row, started_at, created_at)
    select gen_random_uuid(), accounts.id, 'people.csv', 'done', 'founder', '{"format": "jsonl"}', '["Name"]', '{"name": 0}',
      3000, now() - make_interval(mins => number), now() - make_interval(mins => number)
    from accounts, generate_series(1, 200) number`)
  const { id } = (await client.get('/api/imports?limit=1')).body[0]
  await test.db.execute(sql`
    insert into import_rows (import_id, row, cells, outcome, faults)
    select imports.id, number, '["Ada"]', case when number % 10 = 0 then 'refused' else 'created' end,
      case when number % 50 = 1 then '[{"sentence": "Left out"}]'::jsonb else '[]' end
    from imports, generate_series(1, case when id = ${id} then 3000 else 1 end) number`)
  await test.db.execute(sql`analyze imports, import_rows`)
  return id
}

/** The documented reads of a call: the indexes in its row of docs/queries.md. */
const documented = new Map(
  [
    ...readFileSync(new URL('../docs/queries.md', import.meta.url), 'utf8').matchAll(
      /^\| ([^|]+) \| ([^|]+) \| .+ \|$/gm,
    ),
  ]
    .filter(([row]) => row.includes('`'))
    .map(([, call = '', indexes = '']) => [
      call,
      [...indexes.matchAll(/`(\w+)`/g)].map(([, name]) => name as string).sort(),
    ]),
)

const calls: [name: string, call: () => Promise<{ status: number }>, rows?: number][] = [
  ['list founders', () => client.get('/api/founders?limit=50')],
  ['list founders, deep', async () => client.get(await deep('/api/founders?limit=500'))],
  ['list companies', () => client.get('/api/companies?limit=50')],
  ['get a founder', () => client.get(`/api/founders/${one.id}`)],
  ['founder by LinkedIn', () => client.get(`/api/founders?linkedIn=${encodeURIComponent(one.linkedIn)}`)],
  ['search, a common word', () => client.get('/api/founders?limit=50&search=the'), LOOK_ROWS],
  ['search, a rare word', () => client.get('/api/founders?limit=50&search=quixotrope'), LOOK_ROWS],
  ['search, nothing', () => client.get('/api/founders?limit=50&search=zqxjkv'), LOOK_ROWS],
  ['search, two letters', () => client.get('/api/founders?limit=50&search=qx'), LOOK_ROWS],
  ['search companies', () => client.get('/api/companies?limit=50&search=zqxjkv'), LOOK_ROWS],
  ['search my founders', () => client.get('/api/founders?limit=50&mine=true&search=zqxjkv'), LOOK_ROWS],
  ['founders found by a fellow', () => client.get(`/api/founders?limit=50&by=${finder}`)],
  ['founders of some ratings', () => client.get('/api/founders?limit=50&ratingMin=3&ratingMax=5')],
  ['founders of most ratings, by newest note', () => client.get('/api/founders?limit=50&ratingMin=2&sort=lastNote')],
  ['founders of a fellow, of most ratings', () => client.get(`/api/founders?limit=50&by=${finder}&ratingMin=2`)],
  ['founders added before a day', () => client.get('/api/founders?limit=50&addedBefore=2025-06-01')],
  ['founders without activity since a day', () => client.get('/api/founders?limit=50&quietSince=2020-01-01')],
  ['founders with notes', () => client.get('/api/founders?limit=50&hasNotes=true')],
  ['founders without notes', () => client.get('/api/founders?limit=50&hasNotes=false')],
  ['founders by rating', async () => client.get(await deep('/api/founders?limit=500&sort=rating'))],
  ['founders by newest note', async () => client.get(await deep('/api/founders?limit=500&sort=lastNote'))],
  ['founders that reached a stage', () => client.get(`/api/founders?limit=50&reached=${stage}`)],
  ['founders of a stage', () => client.get(`/api/founders?limit=50&stage=${stage}`)],
  ['founders not started', () => client.get('/api/founders?limit=50&stage=none')],
  ['founders of a stage and a status', () => client.get(`/api/founders?limit=50&stage=${stage}&status=passed`)],
  ['active founders', () => client.get('/api/founders?limit=50&status=active')],
  ['passed founders', () => client.get('/api/founders?limit=50&status=passed')],
  ['founders of a responsible fellow', () => client.get(`/api/founders?limit=50&responsible=${finder}`)],
  ['founders without a responsible fellow', () => client.get('/api/founders?limit=50&responsible=none')],
  ['founders with a late next step', () => client.get('/api/founders?limit=50&next=late')],
  ['founders with a next step that is due', () => client.get('/api/founders?limit=50&next=due')],
  ['founders over the limit of their stage', () => client.get('/api/founders?limit=50&quality=overdue')],
  ['founders longest in their stage', async () => client.get(await deep('/api/founders?limit=500&sort=stageAge', 20))],
  ['the board', () => client.get('/api/pipeline?kind=founder'), BOARD_ROWS],
  ['get the pipeline of a founder', () => client.get(`/api/records/${one.id}/pipeline`)],
  ['change the pipeline of a founder', () => changePipeline()],
  ['stays of a founder', () => client.get(`/api/records/${one.id}/stays?limit=50`)],
  ['my next steps', () => client.get('/api/next-steps?limit=50')],
  ['numbers of my next steps', () => client.get('/api/next-steps/counts?timeZone=Europe/Berlin')],
  ['next steps as a calendar', () => client.get('/api/next-steps.ics')],
  ['count what a leaver hands over', () => countHandedOver()],
  ['count what a fellow has exported', () => countOwnExports()],
  ['companies of an industry', () => client.get('/api/companies?limit=50&industry=quixotry')],
  ['suggested industries', () => client.get('/api/companies/values?of=industry&search=q')],
  ['suggested places', () => client.get('/api/companies/values?of=place')],
  ['companies of a place', () => client.get('/api/companies?limit=50&place=quixotry')],
  ['search, also mentioned, a common word', () => client.get('/api/founders?search=team&in=mentions'), LOOK_ROWS],
  ['search, also mentioned', () => client.get('/api/founders?search=zqxjkv&in=mentions'), LOOK_ROWS],
  ['search companies, also mentioned', () => client.get('/api/companies?search=zqxjkv&in=mentions'), LOOK_ROWS],
  [
    'search my founders, also mentioned',
    () => client.get('/api/founders?search=zqxjkv&in=mentions&mine=true'),
    LOOK_ROWS,
  ],
  ['search, similar names', () => client.get('/api/founders?search=lovelaec&in=similar')],
  ['search companies, similar names', () => client.get('/api/companies?search=lovelaec&in=similar')],
  ['my founders', () => client.get('/api/founders?limit=50&mine=true')],
  ['my companies', () => client.get('/api/companies?limit=50&mine=true')],
  ['export my founders', () => client.get('/api/founders/export?mine=true&format=jsonl'), EXPORT_ROWS],
  ['my notes', () => client.get('/api/notes/my-notes')],
  ['notes of a founder', () => client.get(`/api/notes/founder/${one.id}?limit=50`)],
  ['history of a founder', () => client.get(`/api/founders/${one.id}/history?limit=50`)],
  ['history of a company', () => client.get(`/api/companies/${company.id}/history?limit=50`)],
  ['history, the newest', () => search({})],
  ['history of a time', () => search({ since: new Date('2026-01-01'), until: new Date('2026-03-01') })],
  ['history of a person', () => search({ person: fellows[0]?.email })],
  ['history of an action', () => search({ actions: ['login'] })],
  ['history of several actions', () => search({ actions: ['login', 'delete', 'merge'] })],
  ['history of an id', () => search({ id: one.id })],
  ['dashboard', () => client.get('/api/dashboard')],
  ['similar founders', () => client.get(`/api/founders/similar?${typed()}`), SIMILAR_ROWS],
  ['similar companies', () => client.get('/api/companies/similar?name=Acme&website=acme.example'), SIMILAR_ROWS],
  ['duplicates', () => client.get('/api/duplicates?kind=founder&limit=50')],
  ['number of duplicates', () => client.get('/api/nav-counts')],
  ['duplicates, deep', async () => client.get(await deep('/api/duplicates?kind=founder&limit=500'))],
  ['finders of a record', () => client.get(`/api/records/${one.id}/finders`)],
  ['met them too', () => client.post(`/api/records/${foreign.id}/finders`, {})],
  ['take back met them too', () => client.delete(`/api/records/${foreign.id}/finders`)],
  ['not the same', () => client.post('/api/duplicates/dismiss', { a: one.id, b: other.id })],
  ['undo not the same', () => client.delete('/api/duplicates/dismiss', { body: { a: one.id, b: other.id } })],
  ['merge', () => mergeBoth()],
  ['merges of a record', () => client.get(`/api/records/${one.id}/merges`)],
  ['undo a merge', () => undoMerge()],
  ['add a note', () => client.post(`/api/notes/founder/${one.id}`, { content: 'Called again' })],
  ['update a founder', () => client.put(`/api/founders/${one.id}`, { notes: 'Changed', rating: 3 })],
  ['correct a founder', () => correctFounder()],
  ['create a founder', () => client.post('/api/founders', { name: 'A', linkedIn: 'https://x.example/a', notes: 'n' })],
  ['recent changes', () => client.get('/api/changes?limit=50')],
  ['list deleted records', () => asManager(() => client.get('/api/programme/deleted?limit=50'))],
  ['count founders to inform', () => asManager(() => client.get('/api/programme/privacy/uninformed/count'))],
  ['list founders to inform', () => asManager(() => client.get('/api/programme/privacy/uninformed?limit=50'))],
  [
    'list founders to inform, deep',
    () => asManager(async () => client.get(await deep('/api/programme/privacy/uninformed?limit=500'))),
  ],
  [
    'mark founders as informed',
    () => asManager(() => client.put('/api/programme/privacy/informed', { ids: [one.id, other.id], isInformed: true })),
  ],
  ['count before leaving', () => asManager(() => client.get(`/api/programme/people/leave?ids=${finder}`))],
  ['read the feed from its beginning', () => client.get('/api/feed')],
  ['read on in the feed', async () => client.get(await deepInFeed(5))],
  [
    'look whether a webhook is to be rung',
    async () => ({ status: (await findNews(test.db, await endOfFeed(test.db))).hasNews ? 500 : 200 }),
  ],
  ['read the feed again at its end', async () => client.get(await deepInFeed(100))],
  ['changes of others to an account', () => client.get('/api/account/notices')],
  ['list my imports', () => client.get('/api/imports?limit=50')],
  ["list everyone's imports", () => asManager(() => client.get('/api/imports?all=true&limit=50'))],
  ['find the records of notes', () => findNotes()],
  ['upload a file', () => uploadFile()],
  ['cancel an import', () => cancelImport()],
  ['delete an import', () => deleteImport()],
  ['get an import', () => client.get(`/api/imports/${imported}`)],
  ['rows of an import', () => client.get(`/api/imports/${imported}/rows?limit=50`)],
  ['rows of an import, deep', async () => client.get(await deep(`/api/imports/${imported}/rows?limit=500`))],
  ['rows of one outcome', () => client.get(`/api/imports/${imported}/rows?limit=50&outcome=refused`)],
  ['marked rows of an import', () => client.get(`/api/imports/${imported}/rows?limit=50&marked=true`)],
  ['download refused rows', () => client.get(`/api/imports/${imported}/refused.csv`)],
  ['records of an import to look up', () => client.get(`/api/imports/${imported}/look-ups`)],
  ['companies of a founder', () => client.get(`/api/founders/${one.id}/companies?limit=50`)],
  ['founders of a company', () => client.get(`/api/companies/${company.id}/founders?limit=50`)],
  ['founders of a company, deep', async () => client.get(await deep(`/api/companies/${company.id}/founders?limit=2`))],
  ['suggested companies', () => client.get(`/api/founders/${atCompany}/companies/suggested`)],
  ['suggested founders', () => client.get(`/api/companies/${company.id}/founders/suggested`)],
  ['link a founder and a company', () => client.put(linkPath(), { role: 'CEO' })],
  ['change the role of a link', () => client.put(linkPath(), { role: 'CTO' })],
  ['remove a link', () => client.delete(linkPath())],
  ['opinions on a founder', () => client.get(`/api/records/${one.id}/opinions`)],
  ['give an opinion', () => client.put(`/api/records/${one.id}/opinion`, { rating: 7 })],
  ['change an opinion', () => client.put(`/api/records/${one.id}/opinion`, { rating: 8 })],
  ['get a founder with opinions', () => client.get(`/api/founders/${one.id}`)],
  ['reveal opinions', () => asManager(() => client.post(`/api/records/${one.id}/opinions/reveal`, {}))],
  ['delete an opinion', () => client.delete(`/api/records/${one.id}/opinion`)],
  ['founders waiting for my opinion', () => client.get('/api/founders?limit=50&opinion=missing')],
  ['since I was last here', () => sinceLong(), SPAN_ROWS],
  ['founders behind a number', () => client.get(`/api/founders?limit=50&cohort=${cohort}`)],
  ['founders with a tag', async () => client.get(await deep(`/api/founders?limit=500&tag=${tag}`))],
  ['founders with a tag, by rating', () => client.get(`/api/founders?limit=50&tag=${tag}&sort=rating`)],
  ['my founders with a tag', () => client.get(`/api/founders?limit=50&mine=true&tag=${tag}`)],
  ['new and changed in watched searches', () => client.get('/api/searches?limit=50'), LOOKED_ROWS],
  [
    'records that are new and changed in a search',
    () => client.get(`/api/searches/${watched}/new?limit=50`),
    LOOKED_ROWS,
  ],
  ['list all tags', () => client.get('/api/tags')],
  ['rename a tag', () => client.patch(`/api/tags/${ownTag}`, { name: 'Renamed' })],
  ['put the tags of a record', () => client.put(`/api/records/${foreign.id}/tags`, { tags: [ownTag] })],
  ['change many records', () => changeMany(), CHANGED_ROWS],
  ['undo a change of many records', () => client.post(`/api/records/bulk/${bulkId}/undo`, {})],
  ['my inbox', () => client.get('/api/inbox?limit=50'), INBOX_ROWS],
  ['my news', () => client.get('/api/inbox?limit=50&group=news'), INBOX_ROWS],
  ['count my inbox', () => client.get('/api/inbox/count'), INBOX_ROWS],
  ['send the daily mail of a fellow', () => sendMail(), INBOX_ROWS],
  ['offer the daily mail', () => offerMail(), INBOX_ROWS],
  ['mark the lines of a record as read', () => markLines({ record: one.id })],
  ['mark all lines as done', () => client.post('/api/inbox/done', { until: new Date().toISOString() }), INBOX_ROWS],
  ['open all lines again', () => client.post('/api/inbox/reopen', { until: new Date().toISOString() })],
  ['whom mails have named a record to', () => listNamed()],
  ['delete old daily mails', () => deleteMails()],
  ['get what I follow', () => client.get(`/api/records/${one.id}/follow`)],
  ['follow a record', () => client.put(`/api/records/${one.id}/follow`, { state: 'follow' })],
  ['take back what I follow', () => client.put(`/api/records/${one.id}/follow`, { state: 'none' })],
  ['mention a fellow', () => mentionFellow()],
  ['ask for opinions', () => client.post(`/api/records/${one.id}/opinions/ask`, { fellows: [finder] })],
  ['get the list of a week', () => asManager(() => client.get(`/api/programme/week/${WEEK}`)), WEEK_ROWS],
  ['delete a tag', () => asManager(() => client.delete(`/api/tags/${ownTag}`))],
  ['delete a founder', () => client.delete(`/api/founders/${other.id}`)],
]

async function sinceLong() {
  await test.db.execute(sql`update accounts set counts_since = now() - interval '200 days'`)
  tape.begin()
  return client.get('/api/since')
}

/** The news of the last few hundred founders that were added. */
async function watchSearches() {
  const query = `mine=true&stage=none&search=a&tag=${tag}`
  for (const one of ['', query]) {
    watched = (await client.post('/api/searches', { name: 'Watched', kind: 'founder', query: one })).body.id
    await client.put(`/api/searches/${watched}/watch`, { isWatched: true })
  }
  await test.db.execute(sql`update search_watches set seen_until = (
    select created_at from records where kind = 'founder' order by created_at desc offset 300 limit 1
  )`)
}

const callerNow = async () => {
  const { email } = (await client.get('/api/account')).body.user
  return (await findAccount(test.db, email)) as Account
}

async function offerMail() {
  const caller = await callerNow()
  tape.begin()
  const sources = { db: test.db, secret: 'secret', kinds, names: namesOnPage }
  await hasWaited(sources, { caller, timeZone: 'UTC' })
  return { status: 200 }
}

async function sendMail() {
  const { id } = await callerNow()
  await test.db.execute(sql`update accounts set email_verified = true where id = ${id}`)
  await test.db.execute(sql`
    insert into digests (account_id, rhythm, hour, time_zone, next_at) values (${id}, 'daily', 0, 'UTC', now())`)
  tape.begin()
  const settings = { address: 'http://localhost', isHttps: false, isSendingOff: false }
  const mailer = { send: async () => true, close: () => {} }
  const sent = await sendDigests(test.db, mailer, new Date(), { settings, secret: 'secret', kinds, log: quietLog })
  return { status: sent === 1 ? 200 : 500 }
}

async function listNamed() {
  await listNamedTo(test.db, [one.id])
  return { status: 200 }
}

async function deleteMails() {
  await deleteOldDigestMails(test.db)
  return { status: 200 }
}

const markLines = (chosen: object) =>
  client.post('/api/inbox/read', chosen, { headers: { 'x-seen-until': new Date().toISOString() } })

const mentionFellow = () =>
  client.post(`/api/notes/founder/${one.id}`, { content: '@Ada', mentions: [{ id: finder, at: 0, length: 4 }] })

const linkPath = () => `/api/founders/${one.id}/companies/${company.id}`

/** The form of a person who adds an existing founder. */
const typed = () => new URLSearchParams({ name: one.name, linkedIn: one.linkedIn })

/** A corrected address, which drops what was found by the old one. */
async function correctFounder() {
  await test.db.execute(sql`
    update records set additional_info = '{"profile_picture_url": "/x"}',
      enrichment = '{"sources": {"profile_picture_url": {"provider": "harmonic", "at": "2026-01-01T00:00:00Z"}}}'
    where id = ${one.id}`)
  const { version } = (await client.get(`/api/founders/${one.id}`)).body
  tape.begin()
  return client.patch(`/api/founders/${one.id}`, { name: 'Corrected', linkedIn: 'https://x.example/c', version })
}

async function changePipeline() {
  const { version } = (await client.get(`/api/records/${one.id}/pipeline`)).body
  tape.begin()
  return client.put(`/api/records/${one.id}/pipeline`, { stage, nextStep: 'Call', version })
}

async function countOwnExports() {
  const [{ id } = { id: '' }] = await rowsOf<{ id: string }>(test.db, sql`select id from accounts limit 1`)
  tape.begin()
  await countExported(test.db, { id })
  return { status: 200 }
}

async function countHandedOver() {
  const [leaver] = await rowsOf<{ id: string }>(test.db, sql`select id from accounts where public_id = ${finder}`)
  tape.begin()
  await countHandOver(test.db, [leaver?.id ?? ''])
  return { status: 200 }
}

async function changeMany() {
  const records = (await client.get('/api/founders?limit=100')).body as { id: string }[]
  const [stage] = (await client.get('/api/stages')).body as { id: string }[]
  tape.begin()
  const set = { addTag: ownTag, stage: stage?.id, responsible: finder }
  const answer = await client.post('/api/records/bulk', { ids: records.map(({ id }) => id), set })
  bulkId = answer.body.bulkId
  return answer
}

let mergeId: string

async function mergeBoth() {
  const versions = Object.fromEntries(
    await Promise.all(
      [one, other].map(async ({ id }) => [id, (await client.get(`/api/founders/${id}`)).body.version] as const),
    ),
  )
  tape.begin()
  const answer = await client.post('/api/records/merge', { survivorId: one.id, duplicateId: other.id, versions })
  mergeId = answer.body.mergeId
  return answer
}

const undoMerge = () => client.post(`/api/merges/${mergeId}/undo`, {})

let uploaded: string

/** A file without rows, which no job reads. */
async function uploadFile() {
  const headers = { 'content-type': 'application/octet-stream' }
  const answer = await client.post('/api/imports?name=people.csv', Buffer.from('Name\n'), { headers })
  uploaded = answer.body.id
  return answer
}

async function cancelImport() {
  await test.db.execute(sql`update imports set state = 'running', started_at = now() where id = ${uploaded}`)
  tape.begin()
  return client.post(`/api/imports/${uploaded}/cancel`)
}

/** What a job does for a batch of a file of notes. */
async function findNotes() {
  const parsed = { parts: ['Met'], faults: [], headers: { record: 'Record', address: 'Address' } }
  const linkedIn = 'linkedin.com/in/ada'
  const rows = [{ record: 'Ada King' }, { address: linkedIn }, { address: 'ada@x.example' }, { address: 'x.example' }]
  const importer = (await rowsOf<{ id: string }>(test.db, sql`select id from accounts limit 1`))[0] as Account
  tape.begin()
  await planNotes(
    test.db,
    kinds,
    { importer },
    rows.map((row) => ({ parsed: { ...parsed, ...row } })),
  )
  return { status: 200 }
}

/** Without its job, which works meanwhile. */
async function deleteImport() {
  await hideImport(test.db, uploaded, undefined)
  return { status: 204 }
}

async function asManager(call: () => Promise<{ status: number }>) {
  const email = fellows.at(-1)?.email
  await test.db.execute(sql`update accounts set role = 'manager' where email = ${email}`)
  tape.begin()
  const answer = await call()
  await test.db.execute(sql`update accounts set role = 'fellow' where email = ${email}`)
  return answer
}

/** The searches of the operator. */
async function search(wanted: AuditSearch) {
  await searchAuditLog(test.db, wanted, 50)
  return { status: 200 }
}

/** A deep page, without recording the way to it. */
/** The address of what comes after this many pages of the feed. */
async function deepInFeed(most: number): Promise<string> {
  let path = '/api/feed?limit=500'
  for (let pages = 0; pages < most; pages += 1) {
    const { body } = await client.get(path)
    if (path.endsWith(body.next)) break
    path = `/api/feed?limit=500&cursor=${body.next}`
  }
  tape.begin()
  return path
}

async function deep(path: string, most = 5): Promise<string> {
  let next = path
  for (let pages = 0; pages < most; pages += 1) {
    next = /^<(.+)>/.exec(String((await client.get(next)).headers.link))?.[1] ?? next
  }
  tape.begin()
  return next.replace('limit=500', 'limit=50')
}

/** Runs a statement again with `explain`, and rolls its changes back. */
async function planOf({ text, values }: Statement): Promise<Read[]> {
  // A row that was inserted cannot be inserted again.
  const how = /^\s*(with added as \()?insert/.test(text) ? 'format json' : 'analyze, format json'
  await planner.query('begin')
  const { rows } = await planner.query(`explain (${how}) ${text}`, values).finally(() => planner.query('rollback'))
  const reads: Read[] = []
  const visit = (node: Node) => {
    const table = node['Relation Name'] as string | undefined
    // Both hold the one row of an id; the planner considers them equally expensive.
    const index = (node['Index Name'] as string | undefined)?.replace('records_id_kind_key', 'records_pkey')
    const rows = ['Actual Rows', 'Rows Removed by Filter', 'Rows Removed by Index Recheck']
      .map((name) => Number(node[name] ?? 0) * Number(node['Actual Loops'] ?? 1))
      .reduce((sum, count) => sum + count, 0)
    if (node['Node Type'] !== 'ModifyTable' && (table !== undefined || index !== undefined)) {
      reads.push({ table: table ?? '', index, rows })
    }
    for (const part of node.Plans ?? []) visit(part)
  }
  for (const plan of rows[0]['QUERY PLAN']) visit(plan.Plan)
  return reads
}

const BY_KIND = 'records_by_enriched_at'
const isOfMerged = (index: string) => index.startsWith('merged_')
/**
 * Either of two indexes, whichever the planner expects to read less: what has happened since an act by time or by record, links
 * by one end or by both.
 */
const EITHER: Record<string, Record<string, string>> = {
  'undo a change of many records': { audit_log_of_object: 'audit_log_pkey' },
  'undo a merge': { opinions_newest: 'opinions_of_record', links_of_founder: 'links_of_pair' },
  'founders of a company': { links_of_pair: 'links_of_company' },
  'suggested founders': { links_of_pair: 'links_of_company' },
}

describe('Each call reads by the indexes in docs/queries.md', () => {
  it('docs/queries.md lists exactly the calls', () => {
    expect([...documented.keys()].sort()).toEqual(calls.map(([name]) => name).sort())
  })

  it.each(calls)('%s', async (name, call, most = PAGE_ROWS) => {
    tape.begin()
    expect((await call()).status).toBeLessThan(300)
    const statements = tape.end().flat()
    const reads: Read[] = []
    for (const statement of statements) {
      if (/^\s*\(*(select|insert|update|delete|with)\b/.test(statement.text)) reads.push(...(await planOf(statement)))
    }
    const ofGrowing = reads.filter(({ table, index }) => GROWING.includes(table) || isOfGrowing(index))
    expect(
      ofGrowing.filter(({ table, index }) => table !== '' && index === undefined && !isByBitmap(ofGrowing, table)),
    ).toEqual([])
    expect(ofGrowing.filter(({ rows }) => rows > most)).toEqual([])
    const read = ofGrowing.flatMap(({ index }) => index ?? []).map((index) => EITHER[name]?.[index] ?? index)
    const indexes = [...new Set(read)].sort()
    const expected = documented.get(name) ?? []
    // Where few records are merged, the planner may read them by their kind instead.
    const isCompared = (index: string) => !expected.some(isOfMerged) || !(isOfMerged(index) || index === BY_KIND)
    expect(indexes.filter(isCompared)).toEqual(expected.filter(isCompared))
  })
})

const isOfGrowing = (index: string | undefined) => GROWING.includes(tableOf.get(index ?? '') ?? '')
/** A bitmap heap scan reads the rows that an index has found. */
const isByBitmap = (reads: Read[], table: string) =>
  reads.some((read) => read.table === '' && tableOf.get(read.index ?? '') === table)
