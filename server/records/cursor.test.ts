import { describe, expect, it } from 'vitest'
import { AppError } from '#server/http/errors.ts'
import { cursorOf, newest, type Position, positionOf, type Sort } from './cursor.ts'

const LIST = '/api/founders?mine=true&search=ada&limit=50'
const ID = '01900000-0000-7000-8000-00000000abcd'
const ROW: Position = { createdAt: new Date('2026-03-01T10:20:30.456Z'), id: ID }
const best = { name: 'best', direction: 'desc', columns: { score: 'number', a: 'id', b: 'id' } } as const satisfies Sort

const written = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url')
const partsOf = (cursor: string): unknown[] => JSON.parse(Buffer.from(cursor, 'base64url').toString())
const refusal = (cursor: string, sort: Sort = newest, url = LIST) => {
  try {
    positionOf(sort, url, cursor)
  } catch (error) {
    if (error instanceof AppError) return [error.status, error.answer.fields]
    throw error
  }
  return 'accepted'
}
const REFUSED = [400, { cursor: 'This cursor is not valid' }]

describe('A cursor', () => {
  it('holds the position of a row, in every type of column', () => {
    expect(positionOf(newest, LIST, cursorOf(newest, LIST, ROW))).toEqual(ROW)
    const pair = { score: -7, a: ID, b: ID.replace('a', 'b') }
    expect(positionOf(best, LIST, cursorOf(best, LIST, { ...pair, kind: 'founder' } as typeof pair))).toEqual(pair)
    expect(positionOf(newest, LIST)).toBeUndefined()
  })

  it('names its sort, and is at most 200 characters long', () => {
    expect(partsOf(cursorOf(newest, LIST, ROW))[0]).toBe('newest')
    expect(cursorOf(best, LIST, { score: -32_768, a: ID, b: ID }).length).toBeLessThanOrEqual(200)
  })

  it('is valid with another limit, and with its parameters in another order', () => {
    const cursor = cursorOf(newest, LIST, ROW)
    for (const url of [`/api/founders?cursor=${cursor}&search=ada&mine=true`, `${LIST.replace('50', '7')}`]) {
      expect(positionOf(newest, url, cursor)).toEqual(ROW)
    }
  })

  it.each([
    '/api/companies?mine=true&search=ada',
    '/api/founders?search=ada',
    '/api/founders?mine=true',
    '/api/founders?mine=true&search=adam',
    '/api/founders?mine=true&search=ada&linkedIn=ada',
  ])('is refused for the list %s', (url) => {
    expect(refusal(cursorOf(newest, LIST, ROW), newest, url)).toEqual(REFUSED)
  })

  it('is refused for another sort of the same columns', () => {
    expect(refusal(cursorOf(newest, LIST, ROW), { ...newest, name: 'oldest' })).toEqual(REFUSED)
  })

  const [, list, time] = partsOf(cursorOf(newest, LIST, ROW))
  it.each<[string, unknown]>([
    ['no value', ['newest', list]],
    ['a value too few', ['newest', list, time]],
    ['a value too many', ['newest', list, time, ID, ID]],
    ['the values in another order', ['newest', list, ID, time]],
    ['a time as text', ['newest', list, '2026-03-01T10:20:30.456Z', ID]],
    ['a time before 1970', ['newest', list, -1, ID]],
    ['the year 10889', ['newest', list, 0xff_ff_ff_ff_ff_ff, ID]],
    ['a fraction of a millisecond', ['newest', list, 0.5, ID]],
    ['no time', ['newest', list, null, ID]],
    ['an id that is none', ['newest', list, time, `${ID}0`]],
    ['an id in a list', ['newest', list, time, [ID]]],
    ['another sort', ['oldest', list, time, ID]],
    ['another list', ['newest', 'x', time, ID]],
    ['a sort of every object', ['constructor', list, time, ID]],
    ['an object', { ...['newest', list, time, ID], length: 4 }],
    ['a text', 'newest'],
    ['a number', 7],
    ['null', null],
  ])('with %s is refused', (_what, content) => {
    expect(refusal(written(content))).toEqual(REFUSED)
  })

  it.each([2_147_483_648, 1e300, '70', true])('with the number %j is refused', (score) => {
    const [, list] = partsOf(cursorOf(best, LIST, { score: 1, a: ID, b: ID }))
    expect(refusal(written(['best', list, score, ID, ID]), best)).toEqual(REFUSED)
  })

  it.each(['', 'x', '\0', '🦊', '[', 'W10', 'bnVsbA', '['.repeat(200), Buffer.from('[[[[').toString('base64url')])(
    'that reads %j is refused',
    (cursor) => expect(refusal(cursor)).toEqual(REFUSED),
  )
})
