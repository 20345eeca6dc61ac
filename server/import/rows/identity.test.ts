import { describe, expect, it } from 'vitest'
import type { ImportPatch } from '#contract/import.ts'
import { createEmptyApp, csv, IN, importFile, prepare, rowsOf } from '#server/import/test/import-file.ts'
import { factoryOf, makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import type { TestClient } from '#server/test/test-app.ts'

const test = createEmptyApp()

const CO = 'https://www.linkedin.com/company/'
const HEADERS = { founder: 'Name,LinkedIn,Email,Title', company: 'Company,Website,Company LinkedIn,Industry' } as const
type Kind = keyof typeof HEADERS

/** The outcomes of rows, which the preview and the run agree on. */
async function outcomes(client: TestClient, kind: Kind, lines: string[], patch: ImportPatch = {}) {
  const file = csv(HEADERS[kind], ...lines)
  const ready = await prepare(client, file, { kind, ...patch })
  const previewed = (await rowsOf(client, ready.id)).map(({ outcome }) => outcome)
  const done = await importFile(client, file, { kind, ...patch })
  const rows = (await rowsOf(client, done.id)).map(({ outcome }) => outcome)
  expect(rows).toEqual(previewed)
  return rows
}

describe('Rows of one file are two', () => {
  it.each<[string, Kind, string, string]>([
    ['two founders on one mailbox', 'founder', 'Ada Alpha,,hello@acme.example,CEO', 'Ben Beta,,hello@acme.example,CTO'],
    ['a couple on one mailbox', 'founder', 'Marie Moss,,moss@acme.example,', 'Pierre Moss,,moss@acme.example,'],
    ['two sisters on one mailbox', 'founder', 'Anna Moss,,moss@acme.example,', 'Clara Moss,,moss@acme.example,'],
    [
      'one name on one mailbox with two profiles',
      'founder',
      `Wei Wang,${IN}wei-1,w@acme.example,`,
      `Wei Wang,${IN}wei-2,w@acme.example,`,
    ],
    [
      'an address that was written twice',
      'founder',
      `Ada Alpha,${IN}https://www.linkedin.com/in/ada,,`,
      `Ben Beta,${IN}https://www.linkedin.com/in/ben,,`,
    ],
    ['a placeholder for a profile', 'founder', `Ada Alpha,${IN}undefined,,`, `Ben Beta,${IN}undefined,,`],
    ['an empty template for a profile', 'founder', `Ada Alpha,${IN}your-name,,`, `Ben Beta,${IN}your-name,,`],
    [
      'a placeholder for a mailbox',
      'founder',
      'Ada Alpha,,undefined@acme.example,',
      'Ada Beta,,undefined@acme.example,',
    ],
    [
      'two firms on one host',
      'company',
      'Alpha Robotics,https://studio.example,,',
      'Beta Robotics,https://studio.example/beta,,',
    ],
    [
      'two firms on one host, one below',
      'company',
      'Alder,https://studio.example,,',
      'Birch,https://birch.studio.example,,',
    ],
    ['a link shortener', 'company', 'Alder Works,https://bit.ly/3abc,,', 'Birch Works,https://bit.ly/9xyz,,'],
    ['a form service', 'company', 'Alder,https://forms.gle/a,,', 'Birch,https://forms.gle/b,,'],
    [
      'a form service with a name of its own',
      'company',
      'Alder,https://a.typeform.com/to/x,,',
      'Birch,https://a.typeform.com/to/y,,',
    ],
    [
      'a website that was written twice',
      'company',
      'Alder,http://www.https://alder.example,,',
      'Birch,http://www.https://birch.example,,',
    ],
    [
      'one name on one host with two profiles',
      'company',
      `Alder,https://alder.example,${CO}alder-1,`,
      `Alder,https://alder.example,${CO}alder-2,`,
    ],
    ['one profile with unlike names', 'company', `Alder,,${CO}studio,`, `Birch,,${CO}studio,`],
  ])('with %s', { tags: 'slow' }, async (_what, kind, one, other) => {
    const { client } = await fellowOf(test)
    expect(await outcomes(client, kind, [one, other])).toEqual(['created', 'created'])
  })
})

describe('Rows of one file are one', () => {
  it.each<[string, Kind, string, string]>([
    ['one profile and another name', 'founder', `Ada Alpha,${IN}ada,,`, `A. Byron,${IN}ADA/,,`],
    [
      'one mailbox and another spelling',
      'founder',
      'Katharina Berg,,k@acme.example,',
      'Katarina Berg,,K@acme.example,',
    ],
    ['one mailbox and the same name', 'founder', 'José García,,j@acme.example,', 'Jose Garcia,,j@acme.example,'],
    ['one mailbox and an initial', 'founder', 'Ada Alpha,,ada@acme.example,', 'A. Alpha,,ada@acme.example,'],
    [
      'one host and a shared word',
      'company',
      'Bramble Foods,https://bramble.example,,',
      'Bramble Group,https://www.bramble.example/x,,',
    ],
    [
      'a host below, and the same name',
      'company',
      'Bramble,https://bramble.example,,',
      'Bramble,https://eu.bramble.example,,',
    ],
    [
      'one profile, another host and a shared word',
      'company',
      `Bramble,https://bramble.example,${CO}bramble,`,
      `Bramble Foods,https://bramble.io,${CO}bramble,`,
    ],
  ])('with %s', { tags: 'slow' }, async (_what, kind, one, other) => {
    const { client } = await fellowOf(test)
    expect((await outcomes(client, kind, [one, other]))[1]).toBe('duplicate')
  })
})

describe('A row that shares an address with a record', () => {
  it.each<[string, object, string, string]>([
    [
      'a mailbox, under another name',
      { name: 'Ada Alpha', enrichment: { email: 'hello@acme.example' } },
      `Ben Beta,${IN}ben,hello@acme.example,CTO`,
      'Ada Alpha has the same email, and may be the same',
    ],
    [
      'a mailbox of a couple',
      { name: 'Marie Moss', enrichment: { email: 'moss@acme.example' } },
      'Pierre Moss,,moss@acme.example,CTO',
      'Marie Moss has the same email, and may be the same',
    ],
    [
      'a mailbox, with another profile',
      { name: 'Wei Wang', linkedIn: `${IN}wei-1`, enrichment: { email: 'w@acme.example' } },
      `Wei Wang,${IN}wei-2,w@acme.example,CTO`,
      'Wei Wang has the same email, and may be the same',
    ],
    [
      'a company, under a similar name',
      { name: 'Ann Ash', enrichment: { current_company: 'Acme' } },
      'Anne Ash,,,CTO',
      'Ann Ash may be the same',
    ],
  ])('%s, waits, and never changes it', { tags: 'slow' }, async (_what, record, line, sentence) => {
    const { account, client } = await fellowOf(test)
    const { id } = await makeFounder(test.db, { creator: account, ...record })
    const before = (await client.get(`/api/founders/${id}`)).body
    for (const duplicates of ['skip', 'fill', 'update'] as const) {
      const done = await importFile(client, csv(HEADERS.founder, line), { duplicates })
      expect(await rowsOf(client, done.id)).toMatchObject([{ outcome: 'maybe', canAdd: true, faults: [{ sentence }] }])
    }
    expect((await client.get(`/api/founders/${id}`)).body).toEqual(before)
  })

  it.each([
    ['a host, under another name', 'Beta Robotics,https://studio.example,,Drones'],
    ['a host below, under another name', 'Beta Robotics,https://beta.studio.example,,Drones'],
    ['a host, with another profile', `Alpha Robotics,https://studio.example,${CO}other,Drones`],
  ])('%s, waits, and never changes a company', { tags: 'slow' }, async (_what, line) => {
    const { account, client } = await fellowOf(test)
    const { id } = await makeCompany(test.db, {
      creator: account,
      name: 'Alpha Robotics',
      website: 'https://studio.example',
    })
    const body = { linkedIn: `${CO}alpha`, version: 1 }
    expect((await client.patch(`/api/companies/${id}`, body)).status).toBe(200)
    const before = (await client.get(`/api/companies/${id}`)).body
    for (const duplicates of ['skip', 'fill', 'update'] as const) {
      const done = await importFile(client, csv(HEADERS.company, line), { kind: 'company', duplicates })
      const sentence = 'Alpha Robotics has the same website, and may be the same'
      expect(await rowsOf(client, done.id)).toMatchObject([{ outcome: 'maybe', faults: [{ sentence }] }])
    }
    expect((await client.get(`/api/companies/${id}`)).body).toEqual(before)
  })

  it.each<[string, Kind, object, string]>([
    ['a profile', 'founder', { name: 'Ada Alpha', linkedIn: `${IN}ada` }, `A. Byron,${IN}ada,,CEO`],
    [
      'a mailbox, in another spelling',
      'founder',
      { name: 'Katharina Berg', enrichment: { email: 'k@acme.example' } },
      'Katarina Berg,,k@acme.example,CEO',
    ],
    [
      'a host and a word',
      'company',
      { name: 'Bramble Foods', website: 'https://bramble.example' },
      'Bramble Group,https://bramble.example,,Food',
    ],
    [
      'a profile and a word, on another host',
      'company',
      { name: 'Bramble Foods', website: 'https://bramble.example', linkedIn: `${CO}bramble` },
      `Bramble Group,https://bramble.io,${CO}bramble/,Food`,
    ],
  ])('%s, fills it', { tags: 'slow' }, async (_what, kind, { linkedIn, ...record }: { linkedIn?: string }, line) => {
    const { account, client } = await fellowOf(test)
    const path = kind === 'founder' ? 'founders' : 'companies'
    const make = factoryOf(kind)
    const { id } = await make(test.db, {
      creator: account,
      ...record,
      ...(kind === 'founder' && linkedIn && { linkedIn }),
    })
    if (kind === 'company' && linkedIn) await client.patch(`/api/companies/${id}`, { linkedIn, version: 1 })
    expect(await outcomes(client, kind, [line], { duplicates: 'fill' })).toEqual(['updated'])
    const { additionalInfo } = (await client.get(`/api/${path}/${id}`)).body
    expect(additionalInfo).toMatch(/CEO|Food/)
  })

  it('that is certain by another match changes that one', { tags: 'slow' }, async () => {
    const { account, client } = await fellowOf(test)
    const enrichment = { email: 'hello@acme.example' }
    await makeFounder(test.db, { creator: account, name: 'Ada Alpha', enrichment })
    await makeFounder(test.db, { creator: account, name: 'Ben Beta', enrichment })
    const done = await importFile(client, csv(HEADERS.founder, 'Ben Beta,,hello@acme.example,CTO'), {
      duplicates: 'fill',
    })
    expect(done.counts).toMatchObject({ updated: 1 })
    const all = (await client.get('/api/founders')).body
    const titles = all.map(({ name, additionalInfo }: Record<string, string>) => [
      name,
      String(additionalInfo).includes('CTO'),
    ])
    expect(Object.fromEntries(titles)).toEqual({ 'Ada Alpha': false, 'Ben Beta': true })
  })

  it('of a file that is imported again changes nothing', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const lines = [
      'Ada Alpha,,hello@acme.example,CEO',
      'Ben Beta,,hello@acme.example,CTO',
      `Eve Elm,${IN}undefined,,`,
      `Fay Fir,${IN}undefined,,`,
    ]
    expect((await importFile(client, csv(HEADERS.founder, ...lines))).counts).toMatchObject({ created: 4 })
    const again = await importFile(client, csv(HEADERS.founder, ...lines), { duplicates: 'update' })
    expect(again.counts).toMatchObject({ same: 4, created: 0, updated: 0 })
  })
})
