import { describe, expect, it } from 'vitest'
import type { Mark } from '#contract/inbox.ts'
import type { Line } from './api.ts'
import { withMark } from './marks.ts'

const lines = [
  { key: 'a', isRead: false },
  { key: 'b', isRead: true },
] as Line[]
const marked = (mark: Mark, state: 'open' | 'done', keys = ['a', 'b']) =>
  withMark(lines, { mark, keys, state }).map(({ key, isRead }) => `${key}${isRead ? '' : ' unread'}`)

describe('A mark is shown before the lists are fetched again', () => {
  it.each<[Mark, 'open' | 'done', string[]]>([
    ['done', 'open', []],
    ['reopen', 'done', []],
    ['done', 'done', ['a unread', 'b']],
    ['reopen', 'open', ['a unread', 'b']],
    ['read', 'open', ['a', 'b']],
    ['unread', 'open', ['a unread', 'b unread']],
  ])('%s, in the list of %s lines', (mark, state, shown) => {
    expect(marked(mark, state)).toEqual(shown)
  })

  it('on the chosen lines alone', () => {
    expect([marked('done', 'open', ['a']), marked('read', 'open', ['b'])]).toEqual([['b'], ['a unread', 'b']])
  })
})
