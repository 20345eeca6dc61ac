import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fold } from '#contract/fold.ts'
import { openTestDatabase } from '#server/test/test-database.ts'
import { type OpenDatabase, rowsOf } from './database.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const foldedBefore = (text: string) => text.normalize('NFKC').toLowerCase()

describe('The fold in SQL', () => {
  it('makes of each character that an earlier version folded what the server makes of it', {
    tags: 'slow',
  }, async () => {
    const characters = Array.from({ length: 0x10ffff }, (_, index) => index + 1)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => `a${String.fromCodePoint(code)}b`)
      .filter((text) => foldedBefore(text) !== text || fold(text) !== text)
    const rows = await rowsOf<{ text: string }>(
      database.db,
      sql`select fold_again(text) as text from unnest(${sql.param(characters.map(foldedBefore))}::text[]) with ordinality given (text, at) order by at`,
    )
    const wrong = characters.filter((text, at) => rows[at]?.text !== fold(text))
    expect(wrong).toEqual([])
    expect(characters.length).toBeGreaterThan(5_000)
  })

  it.each(['H\u0331', 'A\u200d\u0301', 'O´Connor', 'Jean‑Luc', '‘Weiß’', '„Straße“', 'Æther', 'plain'])(
    'makes of %j what the server makes of it',
    { tags: 'slow' },
    async (text) => {
      const [row] = await rowsOf<{ text: string }>(database.db, sql`select fold_again(${foldedBefore(text)}) as text`)
      expect(row?.text).toBe(fold(text))
    },
  )
})
