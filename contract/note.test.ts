import { describe, expect, it } from 'vitest'
import { MENTION_RULE, NoteInput } from './note.ts'

const ID = '01900000-0000-7000-8000-00000000abcd'
const refusedAt = (content: string, ...ranges: [at: number, length: number][]) => {
  const mentions = ranges.map(([at, length]) => ({ id: ID, at, length }))
  const { error } = NoteInput.safeParse({ content, mentions })
  return error?.issues.map(({ path, message }) => [path[0], message])
}
const REFUSED = [['mentions', MENTION_RULE]]

describe('The mentions of a note', () => {
  it('are ranges in code points of the trimmed text', () => {
    expect(refusedAt('  \u{1f98a} @Ada and @Tom ', [2, 4], [11, 4])).toBeUndefined()
    expect(refusedAt('  \u{1f98a} @Ada and @Tom ', [4, 4])).toEqual(REFUSED)
  })

  it.each<[string, string, [number, number][]]>([
    ['a range that does not begin with @', 'Ask @Ada', [[0, 4]]],
    ['a range beyond the end of the text', 'Ask @Ada', [[4, 5]]],
    ['a range that begins after the text', 'Ask @Ada', [[9, 2]]],
    [
      'ranges that overlap',
      '@@Ada',
      [
        [0, 5],
        [1, 4],
      ],
    ],
    [
      'the same range twice',
      '@Ada',
      [
        [0, 4],
        [0, 4],
      ],
    ],
  ])('refuse %s', (_what, content, ranges) => {
    expect(refusedAt(content, ...ranges)).toEqual(REFUSED)
  })

  it('may touch, and come in any order', () => {
    expect(refusedAt('@Ada@Tom', [4, 4], [0, 4])).toBeUndefined()
  })

  it('are at most 10', () => {
    const ranges = (count: number) => Array.from({ length: count }, (_, index): [number, number] => [index * 3, 2])
    expect(refusedAt('@a '.repeat(11), ...ranges(10))).toBeUndefined()
    expect(refusedAt('@a '.repeat(11), ...ranges(11))).toEqual([['mentions', 'A note can mention fellows 10 times']])
  })
})
