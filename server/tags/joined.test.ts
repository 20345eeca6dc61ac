import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinTags, splitTags } from './joined.ts'

describe('The tags in one cell', () => {
  it.each([
    ['Climate', ['Climate']],
    ['Climate; Deep tech', ['Climate', 'Deep tech']],
    ['Climate, Deep tech,', ['Climate', 'Deep tech']],
    ['Climate, water; Deep tech', ['Climate, water', 'Deep tech']],
    ['"Climate; water"; Deep tech', ['Climate; water', 'Deep tech']],
    ['Climate\nDeep tech', ['Climate', 'Deep tech']],
    ['["Climate","Deep, tech"]', ['Climate', 'Deep, tech']],
    ['5" pipes, "unfinished', ['5" pipes', 'unfinished']],
    [' ; ,', [',']],
  ])('are read: %j', (text, names) => expect(splitTags(text)).toEqual(names))

  it('are read as they were written, whatever their names', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .map((text) => text.replaceAll(/[\n\r]/g, '').trim())
      .filter((text) => text !== '')
    fc.assert(
      fc.property(fc.array(name), (names) => {
        expect(splitTags(joinTags(names))).toEqual(names)
      }),
    )
  })
})
