import { afterEach, describe, expect, it, vi } from 'vitest'
import { kinds } from '#web/kinds.ts'
import { filledLink } from './links.ts'

const ID = '01a2250a-f818-76cc-a409-dba0836c6d63'
const valuesOf = (link: string) => filledLink(kinds, link)?.values

vi.stubGlobal('location', new URL('https://sourcebook.example/proposals'))
afterEach(() => vi.clearAllMocks())

describe('A link to the page of a record', () => {
  it.each([
    ['a note, in several lines', 'note=One%0Atwo', { note: 'One\ntwo' }],
    ['a next step and its day', 'step=Call&on=2031-01-02', { step: 'Call', on: '2031-01-02' }],
    ['a stage', 'stage=Met', { stage: 'Met' }],
    ['a tag', 'tag=Demo%20day', { tag: 'Demo day' }],
    ['a field that can be corrected', 'title=CTO&bio=One%0Atwo', { title: 'CTO', bio: 'One\ntwo' }],
  ])('fills in %s', (_what, hash, values) => {
    expect(valuesOf(`/founders/${ID}#${hash}`)).toEqual(values)
  })

  it.each([
    ['what no form there has', 'rating=10&createdBy=Ada&id=1&status=passed&responsible=Ada'],
    ['a day that is none', 'on=Friday'],
    ['empty text', 'note=%20%0A'],
    ['a field of another kind', 'industry=Steel'],
  ])('does not fill in %s', (_what, hash) => {
    expect(valuesOf(`/founders/${ID}#${hash}`)).toBeUndefined()
  })
})

describe('A proposal', () => {
  it('may add a founder or a company, with a tag and a next step', () => {
    expect(filledLink(kinds, '/companies/add#name=Tidewater&website=tide.example&tag=Demo&linkedIn=x')).toMatchObject({
      ...{ id: null, address: '/companies/add' },
      values: { name: 'Tidewater', website: 'tide.example', tag: 'Demo' },
    })
  })

  it('keeps a text of 10,000 characters, because the form says what is too long', () => {
    expect(valuesOf(`/founders/${ID}#note=${'a'.repeat(10_000)}`)?.note).toHaveLength(10_000)
  })

  it.each([
    ['https://evil.example/founders/add#name=Ada'],
    ['//evil.example/founders/add#name=Ada'],
    ['javascript:alert(1)//founders/add#name=Ada'],
    ['/account#name=Ada'],
    ['/founders/../programme#name=Ada'],
    ['/founders/nowhere#note=Ada'],
    [`/founders/${ID}/history#note=Ada`],
    [`/founders/${ID}`],
    ['http://[#name=Ada'],
    [''],
  ])('leads to a form of ours alone: %s does not', (link) => {
    expect(filledLink(kinds, link)).toBeUndefined()
  })
})
