import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '#server/db/database.ts'
import { tablesOf } from '#server/ops/backup/tables.ts'
import { openTestDatabase } from '#server/test/test-database.ts'
import { recordData } from './record-data.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

it('Every column of every table is listed once, with its treatment in a merge and an erasure', async () => {
  const tables = await tablesOf(database.db)
  const there = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
  const listed = recordData.flatMap(({ table, columns }) => columns.split(' ').map((column) => `${table}.${column}`))
  expect(listed.toSorted()).toEqual(there.toSorted())
})
