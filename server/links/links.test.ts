import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { records } from '#server/db/schema.ts'
import { merge, undo } from '#server/merge/test/calls.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
let ann: Awaited<ReturnType<typeof fellowOf>>
let bob: Awaited<ReturnType<typeof fellowOf>>
beforeAll(async () => {
  test = await startTestApp({}, undefined, undefined, { connections: 10 })
  ann = await fellowOf(test, { role: 'manager' })
  bob = await fellowOf(test)
})
afterAll(() => test.close())

const NOWHERE = '01900000-0000-7000-8000-000000000000'
const founderNamed = (name = 'Ada') => makeFounder(test.db, { creator: ann.account, name })
const companyNamed = (name = 'Acme') => makeCompany(test.db, { creator: ann.account, name })
type One = { id: string }

const at = (founder: One, company: One) => `/api/founders/${founder.id}/companies/${company.id}`
const link = (founder: One, company: One, body: object = {}) => bob.client.put(at(founder, company), body)
const unlink = (founder: One, company: One) => bob.client.delete(at(founder, company))
const companiesOf = async ({ id }: One) => (await ann.client.get(`/api/founders/${id}/companies`)).body
const foundersOf = async ({ id }: One) => (await ann.client.get(`/api/companies/${id}/founders`)).body
const load = async (path: string, { id }: One) => (await ann.client.get(`/api/${path}/${id}`)).body

describe('Founder and company', () => {
  it('are linked by anyone signed in, with a role, and listed on both sides, newest first', async () => {
    const [ada, acme, other] = [await founderNamed(), await companyNamed(), await companyNamed('Bramble')]
    const { status, body } = await link(ada, acme, { role: ' CEO ' })
    expect([status, body]).toEqual([200, { id: acme.id, name: 'Acme', role: 'CEO' }])
    await link(ada, other)
    expect(await companiesOf(ada)).toEqual([{ id: other.id, name: 'Bramble', role: '' }, body])
    expect(await foundersOf(acme)).toEqual([{ id: ada.id, name: 'Ada', role: 'CEO' }])
  })

  it('are linked once; a second PUT changes the role, keeps it without one, and clears it with an empty one', async () => {
    const [ada, acme] = [await founderNamed(), await companyNamed()]
    await link(ada, acme, { role: 'CEO' })
    const roles = []
    for (const body of [{ role: 'CTO' }, {}, { role: '' }]) roles.push((await link(ada, acme, body)).body.role)
    expect(roles).toEqual(['CTO', 'CTO', ''])
    expect(await companiesOf(ada)).toHaveLength(1)
  })

  it('are unlinked by anyone signed in, once or twice', async () => {
    const [ada, acme] = [await founderNamed(), await companyNamed()]
    await link(ada, acme)
    expect([(await unlink(ada, acme)).status, (await unlink(ada, acme)).status]).toEqual([204, 204])
    expect([await companiesOf(ada), await foundersOf(acme)]).toEqual([[], []])
  })

  it('refuse a role of more than 100 characters, on two lines, or of another type', async () => {
    const [ada, acme] = [await founderNamed(), await companyNamed()]
    for (const role of ['x'.repeat(101), 'CEO\nCTO', 5, null]) {
      const { status, body } = await link(ada, acme, { role })
      expect([role, status, Object.keys(body.fields)]).toEqual([role, 400, ['role']])
    }
    expect((await link(ada, acme, { role: 'x'.repeat(100) })).status).toBe(200)
  })

  it('are 404 with an unknown id, one of the other kind, and a deleted record', async () => {
    const [ada, acme, gone] = [await founderNamed(), await companyNamed(), await companyNamed()]
    await link(ada, gone)
    await ann.client.delete(`/api/companies/${gone.id}`)
    const pairs: [One, One][] = [
      [{ id: NOWHERE }, acme],
      [ada, { id: 'x' }],
      [acme, ada],
      [ada, ada],
      [acme, acme],
      [ada, gone],
    ]
    for (const [founder, company] of pairs) {
      expect([(await link(founder, company)).status, (await unlink(founder, company)).status]).toEqual([404, 404])
    }
    expect(await companiesOf(ada)).toEqual([])
    expect((await ann.client.get(`/api/founders/${acme.id}/companies`)).status).toBe(404)
    expect((await ann.client.get(`/api/companies/${gone.id}/founders`)).status).toBe(404)
  })

  it('show adding, changing and removing a link in the history of both, with the other name and the role', async () => {
    const [ada, acme] = [await founderNamed(), await companyNamed()]
    await link(ada, acme, { role: 'CEO' })
    await link(ada, acme, { role: 'CTO' })
    await link(ada, acme, { role: 'CTO' })
    await unlink(ada, acme)
    for (const [path, one, other] of [
      [`/api/founders/${ada.id}`, ada, { id: acme.id, name: 'Acme' }],
      [`/api/companies/${acme.id}`, acme, { id: ada.id, name: 'Ada' }],
    ] as const) {
      const { body } = await ann.client.get(`${path}/history`)
      const by = bob.account.name
      const entry = (action: string, before: string | null, after: string | null) => ({
        ...{ action, by, other, changes: [{ field: 'role', before, after }] },
      })
      expect([one.id, body.slice(0, 3)]).toMatchObject([
        one.id,
        [entry('delete-link', 'CTO', null), entry('update-link', 'CEO', 'CTO'), entry('add-link', null, 'CEO')],
      ])
      expect(body).toHaveLength(4)
    }
  })
})

const DELETED = [
  { kind: 'founder', path: 'founders', other: 'companies' },
  { kind: 'company', path: 'companies', other: 'founders' },
] as const
describe.each(DELETED)('Deleting a $kind', ({ kind, path, other }) => {
  const makeLinked = async (role: string) => {
    const [ada, acme] = [await founderNamed(), await companyNamed()]
    await link(ada, acme, { role })
    const pair: [One, One] = kind === 'founder' ? [ada, acme] : [acme, ada]
    return pair
  }
  const remove = async ({ id }: One) => expect((await ann.client.delete(`/api/${path}/${id}`)).status).toBe(204)
  const historyOf = async ({ id }: One) => (await ann.client.get(`/api/${other}/${id}/history`)).body

  it('removes its links, each an entry in the history of the other record, with the role', async () => {
    const [record, linked] = await makeLinked('CEO')
    await remove(record)
    expect((await ann.client.get(`/api/${other}/${linked.id}/${path}`)).body).toEqual([])
    const entry = {
      ...{ action: 'delete-link', by: ann.account.name, other: { id: record.id, name: null } },
      changes: [{ field: 'role', before: 'CEO', after: null }],
    }
    expect((await historyOf(linked)).slice(0, 2)).toMatchObject([entry, { action: 'add-link' }])
  })

  it('that unites two removes a link that both had once', { tags: 'slow' }, async () => {
    const [record, linked] = await makeLinked('')
    const duplicate = kind === 'founder' ? await founderNamed() : await companyNamed()
    await (kind === 'founder' ? link(duplicate, linked, { role: 'CTO' }) : link(linked, duplicate, { role: 'CTO' }))
    expect((await merge(ann.client, await load(path, record), await load(path, duplicate))).status).toBe(200)
    await remove(record)
    const entries = (await historyOf(linked)).filter(({ action }: { action: string }) => action === 'delete-link')
    expect(entries).toMatchObject([{ other: { id: record.id }, changes: [{ before: 'CTO', after: null }] }])
  })

  it('notifies the pages of the records that were linked to it', async () => {
    const [record, linked] = await makeLinked('CEO')
    const events: unknown[] = []
    onTestFinished(await test.database.listen({ records: (event) => events.push(JSON.parse(event)) }, () => {}))
    await remove(record)
    await expect
      .poll(() => events)
      .toContainEqual({ kind: kind === 'founder' ? 'company' : 'founder', change: 'updated', id: linked.id })
  })
})

const SIDES = [
  { path: 'founders', makeOne: () => founderNamed(), makeOther: () => companyNamed(), list: companiesOf },
  { path: 'companies', makeOne: () => companyNamed(), makeOther: () => founderNamed(), list: foundersOf },
]
describe.each(SIDES)('A merge of $path', ({ path, makeOne, makeOther, list }) => {
  const linkOne = (one: One, other: One, role: string) =>
    path === 'founders' ? link(one, other, { role }) : link(other, one, { role })

  it('unites their links, one that both have once, with the newer role, and its undo gives both back exactly', {
    tags: 'slow',
  }, async () => {
    const [survivor, duplicate, shared, own] = [await makeOne(), await makeOne(), await makeOther(), await makeOther()]
    await linkOne(survivor, shared, 'CEO')
    await linkOne(duplicate, shared, 'CTO')
    await linkOne(duplicate, own, 'Chair')
    const before = [await list(survivor), await list(duplicate)]
    const { status, body } = await merge(ann.client, await load(path, survivor), await load(path, duplicate))
    expect(status).toBe(200)
    const united = (await list(survivor)) as { id: string; role: string }[]
    expect(united.map(({ id, role }) => [id, role])).toEqual([
      [own.id, 'Chair'],
      [shared.id, 'CTO'],
    ])
    const otherList = path === 'founders' ? foundersOf : companiesOf
    expect((await otherList(shared)).map(({ id }: One) => id)).toEqual([survivor.id])
    expect((await undo(ann.client, body.mergeId)).status).toBe(200)
    expect([await list(survivor), await list(duplicate)]).toEqual(before)
  })

  it('leads from the links of the merged record to those of the survivor: 308 for reads, 409 with mergedInto for writes', async () => {
    const [survivor, duplicate, other] = [await makeOne(), await makeOne(), await makeOther()]
    await linkOne(duplicate, other, 'CEO')
    await merge(ann.client, await load(path, survivor), await load(path, duplicate))
    const linked = path === 'founders' ? 'companies' : 'founders'
    const { status, headers } = await ann.client.get(`/api/${path}/${duplicate.id}/${linked}?limit=5`)
    expect([status, headers.location]).toEqual([308, `/api/${path}/${survivor.id}/${linked}?limit=5`])
    const pair: [One, One] = path === 'founders' ? [duplicate, other] : [other, duplicate]
    for (const refused of [await link(...pair, { role: 'CTO' }), await unlink(...pair)]) {
      expect([refused.status, refused.body.code, refused.body.mergedInto]).toEqual([409, 'merged', survivor.id])
    }
    expect(await list(survivor)).toMatchObject([{ id: other.id, role: 'CEO' }])
  })

  it('leaves a role that was changed since on the survivor, lists it, and gives the former one back, when it is undone', {
    tags: 'slow',
  }, async () => {
    for (const survivorRole of [undefined, 'CEO']) {
      const [survivor, duplicate, shared] = [await makeOne(), await makeOne(), await makeOther()]
      if (survivorRole !== undefined) await linkOne(survivor, shared, survivorRole)
      await linkOne(duplicate, shared, 'CTO')
      const { body } = await merge(ann.client, await load(path, survivor), await load(path, duplicate))
      for (const role of ['Chair', '', 'Advisor']) {
        await linkOne(survivor, shared, role)
        expect(await list(survivor)).toMatchObject([{ id: shared.id, role }])
      }
      const undone = await undo(ann.client, body.mergeId)
      expect(undone.body.keptOnSurvivor).toMatchObject([{ what: 'link', reason: 'Added after the merge' }])
      expect(await list(survivor)).toMatchObject([{ id: shared.id, role: 'Advisor' }])
      expect(await list(duplicate)).toMatchObject([{ id: shared.id, role: 'CTO' }])
    }
  })

  it('leaves a link that was added since on the survivor, and a removed one away, when it is undone', {
    tags: 'slow',
  }, async () => {
    const [survivor, duplicate] = [await makeOne(), await makeOne()]
    const [shared, added] = [await makeOther(), await makeOther()]
    await linkOne(survivor, shared, '')
    await linkOne(duplicate, shared, '')
    const { body } = await merge(ann.client, await load(path, survivor), await load(path, duplicate))
    await linkOne(survivor, added, '')
    await (path === 'founders' ? unlink(survivor, shared) : unlink(shared, survivor))
    expect((await list(survivor)).map(({ id }: One) => id)).toEqual([added.id])
    const undone = await undo(ann.client, body.mergeId)
    expect(undone.body.keptOnSurvivor).toMatchObject([{ what: 'link', reason: 'Added after the merge' }])
    expect((await list(survivor)).map(({ id }: One) => id)).toEqual([added.id])
    expect(await list(duplicate)).toEqual([])
  })
})

it('Ten at once link, unlink, merge and undo without a deadlock, and a pair is linked once', {
  tags: 'slow',
}, async () => {
  const [one, two] = [await founderNamed(), await founderNamed()]
  const [first, second] = [await companyNamed(), await companyNamed()]
  const { id, version } = records
  for (let round = 0; round < 5; round += 1) {
    const versions = new Map((await test.db.select({ id, version }).from(records)).map((row) => [row.id, row.version]))
    const of = ({ id }: One) => ({ id, version: versions.get(id) })
    const answers = await Promise.all([
      ...[link(one, first), link(one, second), link(one, first), unlink(one, second)],
      ...[link(two, first), link(two, second), unlink(two, first), link(one, first)],
      ...[merge(ann.client, of(one), of(two)), merge(ann.client, of(second), of(first))],
    ])
    expect(answers.map(({ status }) => status).filter((status) => ![200, 204, 409].includes(status))).toEqual([])
    for (const { body } of answers.slice(-2)) {
      if (body.mergeId) expect((await undo(ann.client, body.mergeId)).status).toBe(200)
    }
    for (const founder of [one, two]) {
      const ids = (await companiesOf(founder)).map(({ id }: One) => id)
      expect(ids).toEqual([...new Set(ids)])
    }
  }
})
