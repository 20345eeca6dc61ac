import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { readSettings } from '#server/settings.ts'
import { makeFounder } from '#server/test/factories.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { compact } from './compact.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

/** Whether the file of the table contains the text. */
async function isInFile(text: string) {
  await test.db.execute(sql`checkpoint`)
  const [row] = await rowsOf<{ place: number }>(
    test.db,
    sql`select position(convert_to(${text}, 'UTF8') in pg_read_binary_file(pg_relation_filepath('records'))) as place`,
  )
  return row?.place !== 0
}

it('The operator removes what was erased from the files of the tables', async () => {
  const { id } = await makeFounder(test.db, { notes: 'a planted sentence' })
  await makeFounder(test.db, { notes: 'a sentence that stays' })
  await test.db.execute(sql`delete from records where id = ${id}`)
  expect(await isInFile('a planted sentence')).toBe(true)
  const lines: string[] = []
  const caller = { folder: '.', signal: new AbortController().signal, out: (line: string) => void lines.push(line) }
  const { database, db } = test
  expect(await compact.run({ database, db, settings: readSettings({}), ...caller }, [])).toBe(0)
  expect(lines[0]).toMatch(/^The tables are rewritten/)
  expect(await isInFile('a planted sentence')).toBe(false)
  expect(await isInFile('a sentence that stays')).toBe(true)
})
