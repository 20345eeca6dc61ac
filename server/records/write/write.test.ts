import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const WRITES = /\b(insert|update|delete)\(records\)|\b(insert into|update|delete from)\s+(\$\{records\}|records\b)/

it('Only one file of the server writes the table of records', () => {
  const root = join(import.meta.dirname, '../..')
  const sources = globSync('**/*.ts', { cwd: root }).filter((path) => !/\.test\.ts$|(^|\/)test\//.test(path))
  const writers = sources.filter((path) => WRITES.test(readFileSync(join(root, path), 'utf8')))
  expect(writers).toEqual(['records/write/write.ts'])
})
