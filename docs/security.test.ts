import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** The number of rows in each part of the table. */
const PARTS = { AU: 31, SU: 6, SE: 26, AZ: 21, IN: 22, FI: 14, SR: 17, RE: 31, OP: 7, PR: 14 }

const everyRow = Object.entries(PARTS).flatMap(([part, count]) =>
  Array.from({ length: count }, (_, index) => `${part}-${index + 1}`),
)

const table = readFileSync('docs/security.md', 'utf8')
const rows = [...table.matchAll(/^\| ([A-Z]{2}-\d+) \| (.+?) \| (.+?) \| ?(.*?) ?\|$/gm)].map(
  ([, id = '', , tests = '']) => ({
    id,
    tests: tests.split(/; (?=[\w./-]+\.ts: )/).map((test) => {
      const [file = '', ...title] = test.split(': ')
      return { file, title: title.join(': ') }
    }),
  }),
)

const sources = new Map<string, string>()
const sourceOf = (file: string) => {
  if (!sources.has(file)) sources.set(file, existsSync(file) ? readFileSync(file, 'utf8') : '')
  return sources.get(file) as string
}

type Named = { file: string; title: string }

/** The tests and suites of a file, with whether `npm test` leaves them out. */
const testsOf = (file: string) =>
  [...sourceOf(file).matchAll(/\(\s*(['"`])(.+?)\1,(?=(\s*\{[^}]*\btags?: '@?slow')?)/g)].map(([, , title, slow]) => ({
    title,
    isSlow: slow !== undefined,
  }))
const isThere = ({ file, title }: Named) => testsOf(file).some((test) => test.title === title)
/** Files that only `npm run test:long` runs: see `LONG` of `vitest.config.ts`. */
const isLong = (file: string) =>
  file.endsWith('.long.test.ts') || /^reliability\/(?!stop|kill|disk|power-cut)/.test(file)
const isAlwaysRun = ({ file, title }: Named) =>
  !isLong(file) && testsOf(file).some((test) => test.title === title && !test.isSlow)
/** An hour of load. */
const ONLY_AT_LENGTH = ['RE-25']

describe('The table of docs/security.md', () => {
  it('has every row of the list, once', () => {
    const found = rows.map(({ id }) => id)
    expect(found).toEqual([...new Set(found)])
    expect(found.toSorted()).toEqual(everyRow.toSorted())
  })

  it.each(rows)('names tests that are there: $id', ({ tests }) => {
    expect(tests.length).toBeGreaterThan(0)
    expect(tests.filter((test) => !isThere(test))).toEqual([])
  })

  it.each(rows.filter(({ id }) => !ONLY_AT_LENGTH.includes(id)))(
    'names a test that is not slow, so that `npm test` runs it: $id',
    ({ tests }) => {
      expect(tests.some(isAlwaysRun)).toBe(true)
    },
  )
})
