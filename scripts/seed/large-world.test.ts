import { describe, expect, it } from 'vitest'
import { CompanyEnrichment, CompanyInput } from '#contract/company.ts'
import { FounderEnrichment, FounderInput } from '#contract/founder.ts'
import { NoteInput } from '#contract/note.ts'
import { mayJoin } from '#server/auth/sign-up/join-rule.ts'
import { domain, linkedInPerson } from '#server/names/keys.ts'
import { largeWorld } from './large-world.ts'

const SIZE = { founders: 8_000, companies: 1_600, notes: 16_000, fellows: 40 }
const UNTIL = new Date('2026-03-02T15:00:00Z')

const make = (size = SIZE) => {
  const { fellows, founders, companies, notes } = largeWorld(size, UNTIL)
  return { fellows, founders: [...founders], companies: [...companies], notes: [...notes] }
}
const world = make()
const { fellows, founders, companies, notes } = world
const records = [...founders, ...companies]

/** The counts of each value, highest first. */
function tally(values: unknown[]): number[] {
  const counts = new Map<unknown, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts.values()].sort((a, b) => b - a)
}
const share = <T>(list: T[], isCounted: (item: T) => boolean) => list.filter(isCounted).length / list.length
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

describe('A large world', () => {
  it('has the requested size', () => {
    const { founders, companies, notes, fellows } = SIZE
    expect(Object.fromEntries(Object.entries(world).map(([part, rows]) => [part, rows.length]))).toEqual({
      founders,
      companies,
      notes,
      fellows,
    })
    expect(make({ founders: 1, companies: 0, notes: 2, fellows: 1 }).notes).toHaveLength(2)
    expect(make({ founders: 0, companies: 0, notes: 0, fellows: 1 }).founders).toEqual([])
  })

  it('is the same for the same numbers and day', () => {
    const size = { founders: 300, companies: 60, notes: 600, fellows: 7 }
    expect(make(size)).toEqual(make(size))
  })

  it('has unique ids that contain the time of their row', () => {
    const rows = [...records, ...notes]
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    const timeOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
    expect(rows.every(({ id, createdAt }) => timeOf(id) === createdAt.getTime())).toBe(true)
  })

  it('consists of rows that the contract accepts unchanged', { tags: 'slow' }, () => {
    for (const { name, linkedIn, notes, rating } of founders) {
      const input = { name, linkedIn, notes, rating }
      expect(FounderInput.parse(input)).toEqual(input)
    }
    for (const { name, website, description, notes, rating } of companies) {
      const input = { name, website, description, notes, rating }
      expect(CompanyInput.parse(input)).toEqual(input)
    }
    for (const { content } of notes) expect(NoteInput.parse({ content })).toEqual({ content })
  })

  it('has public data for seven in ten records', () => {
    expect(share(records, ({ known }) => known !== undefined)).toBeCloseTo(0.7, 1)
    const founder = FounderEnrichment.strict().optional()
    const company = CompanyEnrichment.strict().optional()
    for (const { known } of founders) expect(founder.parse(known)).toEqual(known)
    for (const { known } of companies) expect(company.parse(known)).toEqual(known)
  })

  it('has addresses with a normalised form', () => {
    expect(founders.every(({ linkedIn }) => linkedInPerson(linkedIn) !== null)).toBe(true)
    expect(companies.every(({ website }) => !website || domain(website) !== null)).toBe(true)
  })
})

describe('Its people', () => {
  it('have Latin names in three of four cases, and names in other scripts otherwise, one script per name', () => {
    const scripts = ['Latin', 'Greek', 'Cyrillic', 'Arabic', 'Hebrew', 'Devanagari', 'Thai', 'Han', 'Hangul']
    const patterns = scripts.map((script) => new RegExp(`\\p{Script=${script}}`, 'u'))
    const found = founders.map(({ name }) => patterns.filter((pattern) => pattern.test(name)))
    // Japanese names share characters with Chinese ones, except for kana.
    const kana = /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han} ]+$/u
    expect(founders.filter(({ name }, index) => found[index]?.length !== 1 && !kana.test(name))).toEqual([])
    expect(share(found, ([pattern]) => pattern === patterns[0])).toBeCloseTo(0.75, 1)
    for (const pattern of patterns) expect(share(founders, ({ name }) => pattern.test(name))).toBeGreaterThan(0.005)
  })

  it('start with the fellow of the small world, and may all join', () => {
    expect(fellows[0]).toEqual({ name: 'Maya Okafor', email: 'maya.okafor@stanford.edu' })
    const many = largeWorld({ ...SIZE, fellows: 2_000 }, UNTIL).fellows
    expect(
      many.filter(
        ({ email }) =>
          !mayJoin(email, { teamDomain: 'example.com', joinDomains: undefined }) || email !== email.toLowerCase(),
      ),
    ).toEqual([])
    expect(new Set(many.map(({ email }) => email)).size).toBe(2_000)
  })
})

describe('Its text', () => {
  const texts = [...records.map((record) => record.notes), ...notes.map(({ content }) => content)]

  it('has 60 to 400 characters, about 160 on average', () => {
    expect(share(texts, ({ length }) => length < 60 || length > 400)).toBeLessThan(0.001)
    expect(sum(texts.map(({ length }) => length)) / texts.length).toBeGreaterThan(140)
    expect(sum(texts.map(({ length }) => length)) / texts.length).toBeLessThan(180)
  })

  it('has common words and a long tail of words that occur once', { tags: 'slow' }, () => {
    const counts = tally(texts.flatMap((text) => text.match(/\p{L}+/gu) ?? []))
    expect(counts[0]).toBeGreaterThan(texts.length / 4)
    expect(counts.filter((count) => count === 1).length).toBeGreaterThan(counts.length / 3)
  })

  it.each(['100%', 'C++', '“', '"', '\n', '🚀', '客户', '見る', 'конференции'])(
    'contains error-prone characters (%j)',
    (part) => {
      expect(texts.some((text) => text.includes(part))).toBe(true)
    },
  )
})

describe('Its skew', () => {
  it('gives a fifth to a quarter of the founders to one fellow in forty', () => {
    const counts = tally(founders.map(({ creator }) => creator))
    expect((counts[0] as number) / founders.length).toBeGreaterThan(0.2)
    expect((counts[0] as number) / founders.length).toBeLessThan(0.25)
  })

  it('gives most notes to another fellow', () => {
    const first = (places: (number | string)[]) =>
      fellows.map((_, place) => places.filter((other) => other === place).length).indexOf(tally(places)[0] as number)
    expect(first(notes.map(({ author }) => author))).not.toBe(first(founders.map(({ creator }) => creator)))
  })

  it('has few imported records', () => {
    expect(share(records, ({ creator }) => typeof creator === 'string')).toBeGreaterThan(0.0005)
    expect(share(records, ({ creator }) => typeof creator === 'string')).toBeLessThan(0.005)
  })

  it('has few records with most of the notes, and most with none or one', () => {
    const counts = tally(notes.map(({ founder, company }) => `${founder}/${company}`))
    expect(sum(counts.slice(0, records.length / 10))).toBeGreaterThan(notes.length / 2)
    const atMostOne = records.length - counts.filter((count) => count > 1).length
    expect(atMostOne).toBeGreaterThan(records.length * 0.6)
  })

  it('includes the number of notes with each record', { tags: 'slow' }, () => {
    const of = (kind: 'founder' | 'company', place: number) => notes.filter((note) => note[kind] === place).length
    for (let place = 0; place < 100; place++) {
      expect(founders[place]?.notesCount).toBe(of('founder', place))
      expect(companies[place]?.notesCount).toBe(of('company', place))
    }
    expect(sum(records.map(({ notesCount }) => notesCount))).toBe(notes.length)
  })

  it('includes the time of the newest note with each record, and 1970 without one', () => {
    for (const [place, { lastNoteAt }] of founders.slice(0, 100).entries()) {
      const times = notes.flatMap(({ founder, createdAt }) => (founder === place ? createdAt.getTime() : []))
      expect(lastNoteAt.getTime()).toBe(Math.max(0, ...times))
    }
  })

  it('has some records that further fellows have found, and some without a rating', () => {
    expect(share(records, ({ finders }) => finders.length > 0)).toBeCloseTo(0.04, 2)
    expect(records.every(({ creator, finders }) => finders.every((finder) => finder !== creator))).toBe(true)
    expect(share(records, ({ isRated }) => !isRated)).toBeCloseTo(0.05, 2)
  })

  it('rates most in the middle, and some at both ends', () => {
    const at = (rating: number) => share(records, (record) => record.rating === rating)
    expect(at(6)).toBeGreaterThan(3 * at(2))
    expect(at(6)).toBeGreaterThan(at(9))
    expect(Math.min(at(1), at(10))).toBeGreaterThan(0)
  })
})

describe('Its time', () => {
  it('is in order, within the three years before', () => {
    const times = founders.map(({ createdAt }) => createdAt.getTime())
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(new Date(times[0] as number).toISOString()).toMatch(/^2023-03/)
    expect(new Date(times.at(-1) as number).toISOString() < '2026-03-02').toBe(true)
  })

  it('is denser in recent weeks, and on weekdays', () => {
    const year = (created: { createdAt: Date }) => created.createdAt.getTime() > UNTIL.getTime() - 365 * 86_400_000
    expect(share(founders, year)).toBeGreaterThan(0.45)
    expect(share(founders, ({ createdAt }) => [0, 6].includes(createdAt.getUTCDay()))).toBeLessThan(0.12)
  })

  it('puts notes after their record', () => {
    const parent = ({ founder, company }: (typeof notes)[number]) =>
      founder === undefined ? companies[company ?? -1] : founders[founder]
    expect(notes.every((note) => note.createdAt > (parent(note)?.createdAt ?? note.createdAt))).toBe(true)
  })
})
