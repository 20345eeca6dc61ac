import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasControls, withoutTurns } from '#contract/plain-text.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { kinds } from '#server/kinds.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let test: TestApp
let client: TestClient
let me: Account
beforeAll(async () => {
  test = await startTestApp()
  ;({ client, account: me } = await fellowOf(test))
})
afterAll(() => test.close())

/** Terms as long as the limit, or of characters with a meaning in patterns, lexemes and texts of two directions. */
const TERMS: [what: string, term: string][] = [
  ['200 characters', 'a'.repeat(200)],
  ['200 characters that are several when folded', 'ﷺ'.repeat(200)],
  ['200 syllables that are three letters each', '한'.repeat(200)],
  ['200 letters that are four in Latin', 'щ'.repeat(200)],
  ['100 words of one letter', 'a '.repeat(100).trim()],
  ['words of five letters', 'abcde '.repeat(33).trim()],
  ['one mistake at each letter of a long word', `${'ab'.repeat(10)}c`],
  ['signs of patterns', '%_\\%_\\'],
  ['a backslash', '\\'],
  ['a quote', "'"],
  ['quotes and backslashes', `'\\''\\\\'"`.repeat(10)],
  ['operators of text search', "a' | 'b:* & !c <-> (d)"],
  ['marks of direction', '\u202eadA\u202c \u2066x\u2069\u200f'],
  ['combining marks by the hundred', `a${'\u0301'.repeat(199)}`],
  ['only combining marks', '\u0301'.repeat(200)],
  ['the separator of fields', 'a\u001fb'],
  ['control characters', '\u0001\u0007\u001b[31m'],
  ['emoji of several characters', '👩‍👩‍👧‍👦'.repeat(20)],
  ['letters beyond the basic plane', '𠮷野家𝒜𝒹𝒶'],
  ['an open bracket', `(${'['.repeat(100)}`],
  ['Arabic with its vowel signs', 'مُحَمَّد'.repeat(20)],
]

describe.each(kinds.map((kind) => [kind.path, kind] as const))('Searching %s', (path, kind) => {
  const make = (name: string, notes = 'Met at demo day') => {
    const values = { creator: me, name, notes }
    return kind.name === 'founder' ? makeFounder(test.db, values) : makeCompany(test.db, values)
  }
  const search = (term: string, more: Record<string, string> = {}) =>
    client.get(`/api/${path}?${new URLSearchParams({ search: term, ...more })}`)

  it.each(TERMS)(
    'with %s finds the record that has the term, and nothing else',
    { tags: 'slow' },
    async (_what, term) => {
      await make('Ada Lovelace')
      // Names are on one line.
      const name = hasControls(term) ? 'Plain' : withoutTurns([...`x${term}`].slice(0, 200).join(''))
      const { id } = await make(name, `x${term}`)
      const exact = await search(term)
      expect([exact.status, exact.body.map((record: { id: string }) => record.id)]).toEqual([200, [id]])
      for (const place of ['mentions', 'similar']) {
        const { status, body } = await search(term, { in: place })
        const names = body.map((record: { name: string }) => record.name)
        expect([status, names.includes(name), names.includes('Ada Lovelace')]).toEqual([200, false, false])
      }
      expect((await client.delete(`/api/${path}/${id}`)).status).toBe(204)
    },
  )

  it('with only invisible characters is no search', async () => {
    await make('Ada Lovelace')
    const [all, exact] = [await client.get(`/api/${path}`), await search('\u200f\u200e\u202e')]
    expect([exact.status, exact.text]).toEqual([200, all.text])
    for (const place of ['mentions', 'similar']) {
      expect((await search('\u200f\u200e\u202e', { in: place })).status).toBe(400)
    }
  })

  it('refuses NUL and a term that is too long', async () => {
    for (const term of ['\0', 'a\0b', 'a'.repeat(201)])
      for (const more of [{}, { in: 'mentions' }, { in: 'similar' }]) {
        const { status, body } = await search(term, more)
        expect([status, Object.keys(body.fields)]).toEqual([400, ['search']])
      }
  })

  it('returns every one of a hundred calls at a time', { tags: 'slow' }, async () => {
    const calls = Array.from({ length: 100 }, (_, at) =>
      search(TERMS[at % TERMS.length]?.[1] ?? '', { in: at % 2 ? 'similar' : 'mentions' }),
    )
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200)
    expect((await search('Ada Lovelace')).status).toBe(200)
  })

  it('returns the same bytes before and after the searches beyond the exact one', async () => {
    await make('Adá Lovelace')
    const one = (await search('lovelace')).text
    for (const place of ['mentions', 'similar']) await search('lovelace', { in: place })
    expect((await search('lovelace')).text).toBe(one)
    expect(one).toContain('Adá')
  })
})
