import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Account } from './auth/sessions/session.ts'
import { addedSince } from './lists/cohorts/since.ts'
import { signCohort } from './test/cohorts.ts'
import { makeAccount, makeCompany, makeFounder, makeImport, makeNote } from './test/factories.ts'
import { fellowOf } from './test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from './test/test-app.ts'

// The pages of every list, as found in the API document.

/** Its pages have no next one in a header: `feed/feed.test.ts`. */
const FEED = '/api/feed'

let test: TestApp
let client: TestClient
let account: Account
/** An address of each paged list, which has at least three rows. */
let lists: Map<string, string>
beforeAll(async () => {
  test = await startTestApp()
  const fellow = await fellowOf(test, { role: 'manager' })
  ;({ client, account } = fellow)
  lists = await makeLists(fellow.account)
})
afterAll(() => test.close())

async function makeLists(creator: Account): Promise<Map<string, string>> {
  const link = { linkedIn: 'https://www.linkedin.com/in/same', notes: 'Ships rockets' }
  const founder = await makeFounder(test.db, { creator, ...link, name: 'Ada 0' })
  for (const name of ['Ada 1', 'Ada 2', 'Ada 3']) await makeFounder(test.db, { creator, ...link, name })
  const companies = [await makeCompany(test.db, { creator }), await makeCompany(test.db, { creator })]
  companies.push(await makeCompany(test.db, { creator }))
  for (const author of [creator, creator, creator]) {
    await makeNote(test.db, { author, founder: founder.id })
    await makeNote(test.db, { author, company: companies[0]?.id as string })
  }
  const imported = await makeImport(test.db, { importer: creator })
  for (let more = 0; more < 2; more += 1) await makeImport(test.db, { importer: creator })
  await test.db.execute(sql`update imports set state = 'done', started_at = now() - make_interval(hours => 1)`)
  await test.db.execute(sql`
    insert into import_rows (import_id, row, cells, outcome, faults)
    select ${imported.id}, number, '["Ada"]', 'refused', '[]' from generate_series(1, 4) number`)
  await test.db.execute(sql`
    insert into duplicate_pairs (a, b, kind, reasons, score)
    select one.id, other.id, 'founder', '{name}', 70 from records one join records other on one.id < other.id
    where one.kind = 'founder' and other.kind = 'founder'`)
  const founders = (await client.get('/api/founders?limit=3')).body as { id: string }[]
  for (const one of founders) await client.put(`/api/founders/${one.id}/companies/${companies[0]?.id}`, {})
  for (const one of companies) await client.put(`/api/founders/${founder.id}/companies/${one.id}`, {})
  for (const email of ['one@mit.edu', 'two@mit.edu']) await makeAccount(test.db, { email })
  for (let deleted = 0; deleted < 3; deleted += 1) {
    const { id } = await makeFounder(test.db, { creator })
    await client.delete(`/api/founders/${id}`)
  }
  for (const name of ['One', 'Two', 'Three']) {
    await client.post('/api/searches', { name, kind: 'founder', query: '' })
  }
  const { body: watched } = await client.post('/api/searches', { name: 'Watched', kind: 'company', query: '' })
  await client.put(`/api/searches/${watched.id}/watch`, { isWatched: true })
  const other = await makeAccount(test.db)
  for (let added = 0; added < 3; added += 1) await makeCompany(test.db, { creator: other })
  for (let invited = 0; invited < 3; invited += 1) await client.post('/api/programme/invitations', {})
  const stages = (await client.get('/api/stages')).body as { id: string }[]
  const [me] = (await client.get(`/api/fellows?search=${creator.email}`)).body
  for (const [at, one] of founders.entries()) {
    const set = { stage: stages[at]?.id, responsible: me.id, nextOn: `2030-01-0${at + 1}`, version: 0 }
    await client.put(`/api/records/${one.id}/pipeline`, set)
  }
  for (const [at, stage] of stages.entries()) {
    await client.put(`/api/records/${companies[0]?.id}/pipeline`, { stage: stage.id, version: at })
    // Of several moves within ten minutes only the last counts.
    await test.db.execute(sql`update stage_changes set entered_at = entered_at - interval '11 minutes'`)
  }
  const asker = (await fellowOf(test)).client
  for (const one of founders) await asker.post(`/api/records/${one.id}/opinions/ask`, { fellows: [me.id] })
  await test.db.execute(
    sql`insert into digests (account_id, rhythm, hour, time_zone) select id, 'daily', 8, 'UTC' from accounts`,
  )
  return new Map([
    ['/api/programme/sending/mails', '/api/programme/sending/mails?'],
    ['/api/inbox', '/api/inbox?'],
    ['/api/next-steps', '/api/next-steps?'],
    ['/api/records/{id}/stays', `/api/records/${companies[0]?.id}/stays?`],
    ['/api/founders/{id}/companies', `/api/founders/${founder.id}/companies?`],
    ['/api/companies/{id}/founders', `/api/companies/${companies[0]?.id}/founders?`],
    ['/api/founders', '/api/founders?search=rocket&mine=true&linkedIn=linkedin.com%2Fin%2Fsame'],
    ['/api/companies', '/api/companies?mine=true'],
    ['/api/notes/founder/{id}', `/api/notes/founder/${founder.id}?`],
    ['/api/notes/company/{id}', `/api/notes/company/${companies[0]?.id}?`],
    ['/api/founders/{id}/history', `/api/founders/${founder.id}/history?`],
    ['/api/companies/{id}/history', `/api/companies/${companies[0]?.id}/history?`],
    ['/api/searches', '/api/searches?'],
    ['/api/searches/{id}/new', `/api/searches/${watched.id}/new?`],
    ['/api/changes', '/api/changes?'],
    ['/api/programme/deleted', '/api/programme/deleted?'],
    ['/api/programme/privacy/uninformed', '/api/programme/privacy/uninformed?'],
    ['/api/programme/history', '/api/programme/history?'],
    ['/api/programme/people', '/api/programme/people?'],
    ['/api/programme/invitations', '/api/programme/invitations?'],
    ['/api/duplicates', '/api/duplicates?kind=founder'],
    ['/api/imports', '/api/imports?all=false'],
    ['/api/imports/{id}/rows', `/api/imports/${imported.id}/rows?outcome=refused`],
  ])
}

/** The first page of one row, and the cursor of the next. */
async function firstPage(list: string): Promise<{ next: string; cursor: string }> {
  const { status, headers } = await client.get(`${list}&limit=1`)
  const next = /^<(.+)>; rel="next"$/.exec(String(headers.link))?.[1] as string
  expect([list, status, next]).toEqual([list, 200, expect.any(String)])
  return { next, cursor: new URL(next, 'http://localhost').searchParams.get('cursor') as string }
}

const refusal = async (list: string, cursor: string) => {
  const { status, body } = await client.get(`${list}&cursor=${encodeURIComponent(cursor)}`)
  return [list, cursor, status, body.fields]
}
const refused = (list: string, cursor: string) => [list, cursor, 400, { cursor: 'This cursor is not valid' }]

describe('Every list', () => {
  it('with a cursor in the API document is tested here', { tags: 'slow' }, async () => {
    const { paths } = (await client.get('/api/openapi.json')).body
    const paged = Object.entries<{ get?: { parameters?: { name: string }[] } }>(paths).flatMap(([path, { get }]) =>
      get?.parameters?.some(({ name }) => name === 'cursor') && path !== FEED ? path : [],
    )
    expect([...lists.keys()].sort()).toEqual(paged.sort())
  })

  it('has each row once, page by page', { tags: 'slow' }, async () => {
    for (const list of lists.values()) {
      // The cohort of a number ends with its call.
      const rowsOf = ({ body }: { body: unknown[] & { notes?: unknown[] } }): unknown[] =>
        JSON.parse(JSON.stringify(body.notes ?? body, (key, value) => (key === 'cohort' ? undefined : value)))
      const all = rowsOf(await client.get(`${list}&limit=500`))
      const seen: unknown[] = []
      for (let next: string | undefined = `${list}&limit=1`; next !== undefined && seen.length <= all.length; ) {
        const answer = await client.get(next)
        seen.push(...rowsOf(answer))
        next = /^<(.+)>; rel="next"$/.exec(String(answer.headers.link))?.[1]
      }
      expect(all.length).toBeGreaterThanOrEqual(3)
      expect(seen).toEqual(all)
    }
  })

  it('refuses cursors of the first version of the API', async () => {
    const id = '01900000000070008000000000000001'
    const dashed = '01900000-0000-7000-8000-000000000001'
    const before = [`19a8b3c4d5e.${id}`, '3', `70.${dashed}.${dashed}`].map((text) =>
      Buffer.from(text).toString('base64url'),
    )
    for (const list of lists.values()) {
      for (const cursor of before) expect(await refusal(list, cursor)).toEqual(refused(list, cursor))
    }
  })

  it('refuses the cursors of every other list', { tags: 'slow' }, async () => {
    const cursors = await Promise.all([...lists.values()].map(async (list) => (await firstPage(list)).cursor))
    for (const [at, list] of [...lists.values()].entries()) {
      for (const cursor of cursors.toSpliced(at, 1)) expect(await refusal(list, cursor)).toEqual(refused(list, cursor))
    }
  })

  it('refuses a cursor once a filter has changed, and takes it with another limit', { tags: 'slow' }, async () => {
    for (const list of lists.values()) {
      const { cursor } = await firstPage(list)
      expect((await client.get(`${list}&limit=2&cursor=${cursor}`)).status).toBe(200)
    }
    const [founders, companies, imports, rows, pairs] = [
      ...['/api/founders', '/api/companies', '/api/imports', '/api/imports/{id}/rows', '/api/duplicates'],
    ].map((path) => lists.get(path) as string)
    for (const [list, other] of [
      [founders, founders?.replace('rocket', 'rockets')],
      [founders, founders?.replace('&mine=true', '')],
      [founders, founders?.replace(/&linkedIn=.+/, '')],
      [companies, `${companies}&search=met`],
      [companies, `${companies}&website=acme.example`],
      [companies, `${companies}&sort=rating`],
      [founders, `${founders}&ratingMin=1`],
      [imports, imports?.replace('?all=false', '?')],
      [rows, rows?.replace('?outcome=refused', '?')],
      [rows, `${rows}&marked=true`],
      [pairs, pairs?.replace('founder', 'company')],
    ] as [string, string][]) {
      const { cursor } = await firstPage(list)
      expect(await refusal(other, cursor)).toEqual(refused(other, cursor))
    }
  })

  it.each(['x', '%00', '[]', 'W10', '9'.repeat(200), 'a'.repeat(201), '%F0%9F%A6%8A', 'x&cursor=y'])(
    'refuses the cursor %s at its field',
    async (cursor) => {
      for (const list of lists.values()) {
        const { status, body } = await client.get(`${list}&cursor=${cursor}`)
        expect([list, status, Object.keys(body.fields)]).toEqual([list, 400, ['cursor']])
      }
    },
  )
})

/** Values of the parameters that take no other text. */
const VALUES: Record<string, string> = {
  ...{ by: '01900000-0000-7000-8000-000000000001', tag: '01900000-0000-7000-8000-000000000001' },
  in: 'mentions&search=x',
  ...{ stage: 'none', status: 'active', responsible: 'none', next: 'due', quality: 'overdue' },
  reached: '01900000-0000-7000-8000-000000000001',
  ...{ opinion: 'missing', timeZone: 'Europe/Berlin' },
  ...{ ratingMin: '3', ratingMax: '8', addedAfter: '2024-02-29', addedBefore: '2026-01-31', sort: 'rating' },
  quietSince: '2026-01-31',
}

describe('The filters of a list of records', () => {
  it.each(['founders', 'companies'])('of %s are those of its parameters', { tags: 'slow' }, async (path) => {
    const { paths } = (await client.get('/api/openapi.json')).body
    const parameters: { name: string }[] = paths[`/api/${path}`].get.parameters
    const cohort = await signCohort(test.db, account, addedSince, 1, 2)
    for (const { name } of parameters.filter(({ name }) => name !== 'limit' && name !== 'cursor')) {
      const { status } = await client.get(`/api/${path}?${name}=${{ ...VALUES, cohort }[name] ?? 'true'}`)
      expect([name, status]).toEqual([name, 200])
    }
  })
})
