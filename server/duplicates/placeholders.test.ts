import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { companyKind } from '#server/companies/kind.ts'
import { rowsOf } from '#server/db/database.ts'
import { readMigrations } from '#server/db/migrate.ts'
import { founderKind } from '#server/founders/kind.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { checkNext } from './checks.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const IN = 'https://www.linkedin.com/in/'

describe('An address that identifies no one', () => {
  it('has no key after the upgrade, as in a new record, and every other one keeps its own', {
    tags: 'slow',
  }, async () => {
    const handles = [
      'undefined',
      'https:',
      'www.linkedin.com',
      'in',
      '{{handle}}',
      'ada@mit.edu',
      '-',
      'ada',
      'undefined-ai',
      '李明',
      'zoë',
    ]
    const hosts = ['bit.ly', 'forms.gle', 'a.typeform.com', 'www.https', 'acme.example', 'habit.ly', 'tally.so.example']
    for (const handle of handles) {
      const { id } = await makeFounder(test.db, { linkedIn: IN + handle })
      await test.db.execute(sql`update records set linked_in_key = ${handle} where id = ${id}`)
    }
    for (const host of hosts) {
      const { id } = await makeCompany(test.db, { website: `https://${host}` })
      await test.db.execute(sql`update records set domain_key = ${host} where id = ${id}`)
    }
    const { statements = [] } = (await readMigrations()).find(({ number }) => number === 54) ?? {}
    for (const statement of statements.filter((one) => /^\s*update records/m.test(one)))
      await test.db.execute(sql.raw(statement))
    const keysIn = async (column: string) =>
      (
        await rowsOf<{ key: string }>(
          test.db,
          sql`select ${sql.raw(column)} as key from records where ${sql.raw(column)} is not null`,
        )
      )
        .map(({ key }) => key)
        .sort()
    const known = (keys: (string | null)[]) => keys.filter((key) => key !== null).sort()
    expect(await keysIn('linked_in_key')).toEqual(known(handles.map((handle) => founderKind.lookup.keyOf(IN + handle))))
    expect(await keysIn('domain_key')).toEqual(known(hosts.map((host) => companyKind.lookup.keyOf(`https://${host}`))))
    expect(await keysIn('linked_in_key')).toHaveLength(4)
    expect(await keysIn('domain_key')).toHaveLength(3)
  })
})

describe('By hand, in the add form and in the review', () => {
  it.each([
    [
      'founders',
      { name: 'Ben Beta', linkedIn: `${IN}undefined` },
      { name: 'Ada Alpha', linkedIn: `${IN}undefined` },
      [],
    ],
    [
      'founders',
      { name: 'Ben Beta', linkedIn: `${IN}ada` },
      { name: 'Ada Alpha', linkedIn: `${IN}ada` },
      [['linkedin', true]],
    ],
    [
      'founders',
      { name: 'Ada Alpha', linkedIn: `${IN}ada-1` },
      { name: 'Ada Alpha', linkedIn: `${IN}ada-2` },
      [['same_name', false]],
    ],
    [
      'companies',
      { name: 'Birch', website: 'https://forms.gle/b' },
      { name: 'Alder', website: 'https://forms.gle/a' },
      [],
    ],
    [
      'companies',
      { name: 'Beta', website: 'https://studio.example' },
      { name: 'Alpha', website: 'https://studio.example' },
      [['domain', false]],
    ],
    [
      'companies',
      { name: 'Bramble Foods', website: 'https://bramble.example' },
      { name: 'Bramble', website: 'https://bramble.example' },
      [['domain', true]],
    ],
  ] as const)('of %s, %j is to %j: %j', async (path, typed, stored, expected) => {
    await test.db.execute(sql`delete from records`)
    const { client } = await fellowOf(test)
    expect((await client.post(`/api/${path}`, { notes: 'n', ...stored })).status).toBe(201)
    const found = (await client.get(`/api/${path}/similar?${new URLSearchParams(typed)}`)).body
    const shown = (rows: { reason: string; isCertain: boolean }[]) =>
      rows.map(({ reason, isCertain }) => [reason, isCertain])
    expect(shown(found)).toEqual(expected)
  })

  it('an equal mailbox under two names comes after an equal name, and may be the same', async () => {
    await test.db.execute(sql`delete from records`)
    const { client } = await fellowOf(test)
    const shared = { linkedIn: 'https://x.example/a', enrichment: { email: 'hello@acme.example' } }
    for (const name of ['Ada Alpha', 'Ben Beta', 'Ada Alpha']) await makeFounder(test.db, { name, ...shared })
    while ((await checkNext(test.db, [founderKind], 50)) > 0);
    const pairs = (await client.get('/api/duplicates?kind=founder')).body
    const shown = pairs.map(({ reasons, isCertain }: { reasons: string[]; isCertain: boolean }) => [
      reasons[0],
      isCertain,
    ])
    expect(shown).toEqual([
      ['email', true],
      ['email', false],
      ['email', false],
    ])
    expect(pairs[0].a.name).toBe(pairs[0].b.name)
  })
})
