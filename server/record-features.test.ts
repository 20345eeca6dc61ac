import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '#server/db/database.ts'
import { namesIn } from '#server/records/record-data.ts'
import { openTestDatabase } from '#server/test/test-database.ts'
import { recordData } from './record-features.ts'
import { unlistedColumns } from './records/test/unlisted-columns.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

it('Every column of every table is listed once, with its treatment in a merge, an erasure and an access report', async () => {
  expect(await unlistedColumns(database.db, recordData)).toEqual([])
  const listed = recordData.map(namesIn).flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`))
  expect(listed.toSorted()).toEqual([...new Set(listed)].toSorted())
})

it('A column that is not listed is found', async () => {
  await database.db.execute(sql`alter table pictures add column source text`)
  expect(await unlistedColumns(database.db, recordData)).toEqual(['pictures.source'])
})
