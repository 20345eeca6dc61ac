import { describe, expect, it } from 'vitest'
import { NOTE_MAX } from '#contract/limits.ts'
import { withAlias } from './mentions.ts'

const erased = { id: 'quill', alias: 'Former fellow 7' }
const at = (start: number, length: number, accountId = 'quill') => ({ start, length, accountId })

describe('The alias of an erased fellow in a note', () => {
  it('takes the place of each mention, and moves the others', () => {
    expect(withAlias('\u{1f98a} @Quill and @Tom', [at(13, 4, 'tom'), at(2, 6)], erased)).toEqual({
      content: '\u{1f98a} @Former fellow 7 and @Tom',
      kept: [at(23, 4, 'tom')],
    })
  })

  it('is cut with its text where that would pass 1,000 characters, as are mentions behind', () => {
    const { content, kept } = withAlias(
      `@Q ${'x'.repeat(NOTE_MAX - 8)} @Tom`,
      [at(0, 2), at(NOTE_MAX - 4, 4, 'tom')],
      erased,
    )
    expect([content.length, content.startsWith('@Former fellow 7 xx'), kept]).toEqual([NOTE_MAX, true, []])
  })
})
