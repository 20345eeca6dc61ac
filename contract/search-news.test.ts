import { expect, it } from 'vitest'
import { newsWords } from './search-news.ts'

const count = (count: number, hasMore = false) => ({ count, hasMore })

it.each([
  [undefined, ''],
  [{ new: count(0), changed: count(0), isMany: false }, ''],
  [{ new: count(3), changed: count(2), isMany: false }, '3 new, 2 changed'],
  [{ new: count(0), changed: count(1), isMany: false }, '1 changed'],
  [{ new: count(100, true), changed: count(0), isMany: false }, '100+ new'],
  [{ new: count(0), changed: count(0), isMany: true }, 'many changes'],
])('The news of a watched search, %j, are “%s”', (news, words) => {
  expect(newsWords(news)).toBe(words)
})
