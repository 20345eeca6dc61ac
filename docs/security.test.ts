import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** The number of rows in each part of the table. */
const PARTS = { AU: 30, SU: 6, SE: 24, AZ: 19, IN: 21, FI: 14, SR: 17, RE: 29, OP: 7, PR: 8 }

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

/** Whether a file has a test or a suite with this title. */
const says = (file: string, title: string) =>
  [...sourceOf(file).matchAll(/\(\s*(['"`])(.+?)\1,/g)].some(([, , given]) => given === title)

describe('The table of docs/security.md', () => {
  it('has every row of the list, once', () => {
    const found = rows.map(({ id }) => id)
    expect(found).toEqual([...new Set(found)])
    expect(found.toSorted()).toEqual(everyRow.toSorted())
  })

  it.each(rows)('names tests that are there: $id', ({ tests }) => {
    expect(tests.length).toBeGreaterThan(0)
    expect(tests.filter(({ file, title }) => !says(file, title))).toEqual([])
  })
})
