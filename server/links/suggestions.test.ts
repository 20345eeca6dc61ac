import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FounderEnrichment } from '#contract/founder.ts'
import type { SuggestedLink } from '#contract/link.ts'
import { merge, undo } from '#server/merge/test/calls.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
let ann: Awaited<ReturnType<typeof fellowOf>>
beforeAll(async () => {
  test = await startTestApp()
  ann = await fellowOf(test, { role: 'manager' })
})
beforeEach(() => test.db.execute(sql`delete from records`))
afterAll(() => test.close())

type One = { id: string }

const founderAt = (current_company: string, more: FounderEnrichment = {}) =>
  makeFounder(test.db, { creator: ann.account, enrichment: { current_company, ...more } })
const founderWithEmail = (email: string) => makeFounder(test.db, { creator: ann.account, enrichment: { email } })
const companyNamed = (name: string, website = '') =>
  makeCompany(test.db, { creator: ann.account, name, ...(website && { website }) })

const suggested = async (path: string): Promise<SuggestedLink[]> => {
  const { status, body } = await ann.client.get(path)
  expect(status).toBe(200)
  return body
}
const companiesFor = ({ id }: One) => suggested(`/api/founders/${id}/companies/suggested`)
const foundersFor = ({ id }: One) => suggested(`/api/companies/${id}/founders/suggested`)
const link = (founder: One, company: One) => ann.client.put(`/api/founders/${founder.id}/companies/${company.id}`, {})

/** The reasons for which a founder and a company are suggested to each other, which are the same on both sides. */
async function reasonsOf(founder: One, company: One) {
  const [ofCompany] = (await companiesFor(founder)).filter(({ id }) => id === company.id)
  const [ofFounder] = (await foundersFor(company)).filter(({ id }) => id === founder.id)
  expect(ofFounder?.reasons).toEqual(ofCompany?.reasons)
  return ofCompany?.reasons ?? []
}

describe('A founder and a company are suggested to each other', () => {
  it.each([
    ['Acme', 'ACME', 'same_company'],
    ['Ａcme', 'Acme', 'same_company'],
    ['Acme', 'Acme, Inc.', 'similar_company'],
    ['acme.io', 'Acme GmbH', 'similar_company'],
    ['Acme AI', 'AcmeAI', 'similar_company'],
    ['OpenAI', 'Open AI', 'similar_company'],
    ['Deep Mind', 'DeepMind', 'similar_company'],
    ['Café Río (Acme Labs)', 'Cafe Rio', 'similar_company'],
    ['SAS', 'SAS', 'same_company'],
    ['Robotics', 'Robotics', 'same_company'],
  ])('with the company %s and the name %s: %s', async (company, name, reason) => {
    expect(await reasonsOf(await founderAt(company), await companyNamed(name))).toEqual([reason])
  })

  it.each([
    ['Acme', 'Acme Foods'],
    ['Acme', 'Acne'],
    ['SAS', 'GmbH'],
    ['', 'Acme'],
    ['?!', '!?'],
  ])('but not with the company %j and the name %j', async (company, name) => {
    expect(await reasonsOf(await founderAt(company), await companyNamed(name))).toEqual([])
  })

  it.each([
    ['ada@acme.example', 'https://www.acme.example/about'],
    [' Ada@ACME.example', 'https://ACME.example'],
    ['ada@eu.acme.example', 'https://acme.example'],
    ['ada@acme.example', 'https://app.acme.example'],
  ])('with the email address %j and the website %s', async (email, website) => {
    expect(await reasonsOf(await founderWithEmail(email), await companyNamed('Acme', website))).toEqual([
      'email_domain',
    ])
  })

  it.each([
    ['ada@gmail.com', 'https://gmail.com'],
    ['ada@hotmail.co.uk', 'https://hotmail.co.uk'],
    ['ada@proton.me', 'https://proton.me'],
    ['1+ada@users.noreply.github.com', 'https://github.com'],
    ['ada@notacme.example', 'https://acme.example'],
    ['ada@acme.example.evil.example', 'https://acme.example'],
    ['ada@a.acme.example', 'https://b.acme.example'],
    ['no address', 'https://acme.example'],
  ])('but not with the email address %j and the website %s', async (email, website) => {
    expect(await reasonsOf(await founderWithEmail(email), await companyNamed('Acme', website))).toEqual([])
  })
})

const SIDES = [
  {
    ...{ path: 'founders', linkedPath: 'companies', suggestions: companiesFor, isFounder: true },
    makeOne: () => founderAt('Acme', { email: 'ada@acme.example' }),
    makeOther: (name = 'Acme', domain = 'other.example') => companyNamed(name, `https://${domain}`),
  },
  {
    ...{ path: 'companies', linkedPath: 'founders', suggestions: foundersFor, isFounder: false },
    makeOne: () => companyNamed('Acme', 'https://acme.example'),
    makeOther: (name = 'Acme', domain = 'other.example') => founderAt(name, { email: `ada@${domain}` }),
  },
] as const

describe.each(SIDES)(
  'Suggestions for one of $path',
  ({ path, linkedPath, suggestions, makeOne, makeOther, isFounder }) => {
    const idsFor = async (one: One) => (await suggestions(one)).map(({ id }) => id)
    const linkBoth = (one: One, other: One) => (isFounder ? link(one, other) : link(other, one))
    const load = async (at: string, { id }: One) => (await ann.client.get(`/api/${at}/${id}`)).body

    it('are at most three: name and domain before a name, a form and a domain, a domain, a form; then newest', async () => {
      const one = await makeOne()
      const form = await makeOther('Acme Inc')
      const domain = await makeOther('Else', 'acme.example')
      expect(await idsFor(one)).toEqual([domain.id, form.id])
      const formAndDomain = await makeOther('Acme Inc', 'acme.example')
      const first = await makeOther()
      const second = await makeOther()
      expect(await idsFor(one)).toEqual([second.id, first.id, formAndDomain.id])
      const both = await makeOther('acme', 'acme.example')
      expect(await idsFor(one)).toEqual([both.id, second.id, first.id])
      expect((await suggestions(one))[0]?.reasons).toEqual(['same_company', 'email_domain'])
    })

    it('leave out linked records, and have them again when the link is removed', async () => {
      const [one, other] = [await makeOne(), await makeOther()]
      await linkBoth(one, other)
      expect(await idsFor(one)).toEqual([])
      const [founder, company] = isFounder ? [one, other] : [other, one]
      await ann.client.delete(`/api/founders/${founder.id}/companies/${company.id}`)
      expect(await idsFor(one)).toEqual([other.id])
    })

    it('leave out a merged record until the merge is undone, and a deleted one', { tags: 'slow' }, async () => {
      const [one, other, duplicate] = [await makeOne(), await makeOther(), await makeOther()]
      const { body } = await merge(ann.client, await load(linkedPath, other), await load(linkedPath, duplicate))
      expect(await idsFor(one)).toEqual([other.id])
      await undo(ann.client, body.mergeId)
      expect(await idsFor(one)).toEqual([duplicate.id, other.id])
      await ann.client.delete(`/api/${linkedPath}/${duplicate.id}`)
      expect(await idsFor(one)).toEqual([other.id])
    })

    it('are none without a match, and 404 for an unknown id, one of the other kind and a deleted record', async () => {
      const [one, other] = [await makeOne(), await makeOther('Else')]
      expect(await suggestions(one)).toEqual([])
      await ann.client.delete(`/api/${path}/${one.id}`)
      for (const id of ['01900000-0000-7000-8000-000000000000', 'x', other.id, one.id]) {
        expect((await ann.client.get(`/api/${path}/${id}/${linkedPath}/suggested`)).status).toBe(404)
      }
    })

    it('follow corrections of the name and of what enrichment has found', async () => {
      const [one, other] = [await makeOne(), await makeOther('Else')]
      const correct = async (at: string, { id }: One, values: object) =>
        ann.client.patch(`/api/${at}/${id}`, { ...values, version: (await load(at, { id })).version })
      const named = (name: string) => (isFounder ? { name } : { company: name })
      expect((await correct(linkedPath, other, named('Acme Ltd'))).status).toBe(200)
      expect((await suggestions(one)).map(({ reasons }) => reasons)).toEqual([['similar_company']])
      await correct(path, one, isFounder ? { company: 'Bramble' } : { name: 'Bramble' })
      expect(await suggestions(one)).toEqual([])
    })
  },
)

describe('A suggestion', () => {
  it('has a line about the record, and the title of a founder of the same company as the role', async () => {
    const founder = await founderAt('Acme', { current_title: 'CTO', email: 'ada@bramble.example' })
    const acme = await companyNamed('Acme')
    const bramble = await companyNamed('Bramble', 'https://bramble.example')
    const line = { title: null, company: null, facts: null }
    expect(await companiesFor(founder)).toEqual([
      { id: acme.id, name: 'Acme', ...line, role: 'CTO', reasons: ['same_company'] },
      { id: bramble.id, name: 'Bramble', ...line, role: '', reasons: ['email_domain'] },
    ])
    const about = { id: founder.id, name: founder.name, title: 'CTO', company: 'Acme', facts: null }
    expect(await foundersFor(acme)).toEqual([{ ...about, role: 'CTO', reasons: ['same_company'] }])
    expect(await foundersFor(bramble)).toEqual([{ ...about, role: '', reasons: ['email_domain'] }])
  })

  it.each(['x'.repeat(101), 'CEO\nCTO'])('proposes no role that a link would refuse: %j', async (current_title) => {
    const founder = await founderAt('Acme', { current_title })
    await companyNamed('Acme')
    expect((await companiesFor(founder)).map(({ role }) => role)).toEqual([''])
  })

  it('is never made by itself', async () => {
    const founder = await founderAt('Acme')
    await companyNamed('Acme')
    await companiesFor(founder)
    expect((await ann.client.get(`/api/founders/${founder.id}/companies`)).body).toEqual([])
  })

  it('is found for names of any length', async () => {
    // Its index entry is the longest: each letter is three of three bytes.
    const long = Array.from({ length: 200 }, (_, at) => String.fromCharCode(0xac01 + at * 37)).join('')
    expect(await reasonsOf(await founderAt(long), await companyNamed(long))).toEqual(['same_company'])
  })
})
