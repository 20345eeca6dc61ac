import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { withClient } from '#server/db/embedded/client.ts'
import { readSettings } from '#server/ops/settings.ts'
import { makeFounder } from '#server/test/factories.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { superuserUrl } from '#server/test/test-database.ts'
import { compact } from './compact.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

/** Whether the file of the table contains the text. */
async function isInFile(text: string) {
  return withClient(await superuserUrl(test.db), async (superuser) => {
    await superuser.query('checkpoint')
    const found = `select position(convert_to($1, 'UTF8') in pg_read_binary_file(pg_relation_filepath('records'))) as place`
    const { rows } = await superuser.query(found, [text])
    return rows[0].place !== 0
  })
}

it('The operator removes what was erased from the files of the tables', { tags: 'slow' }, async () => {
  const { id } = await makeFounder(test.db, { notes: 'a planted sentence' })
  await makeFounder(test.db, { notes: 'a sentence that stays' })
  await test.db.execute(sql`delete from records where id = ${id}`)
  expect(await isInFile('a planted sentence')).toBe(true)
  const lines: string[] = []
  const caller = { folder: '.', signal: new AbortController().signal, out: (line: string) => void lines.push(line) }
  const { database, db } = test
  // What another transaction can still see, as one of the planner of jobs, is written again.
  await vi.waitFor(async () => {
    expect(await compact.run({ database, db, settings: readSettings({}), ...caller }, [])).toBe(0)
    expect(await isInFile('a planted sentence')).toBe(false)
  }, 10_000)
  expect(lines[0]).toMatch(/^The tables are rewritten/)
  expect(await isInFile('a sentence that stays')).toBe(true)
})
