import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commands, usage } from './commands.ts'
import { cut, wrapped } from './lines.ts'
import { usageOf } from './run-command.ts'

const WIDTH = 80
const words = fc.array(fc.stringMatching(/^[\w/.,-]{1,70}$/), { minLength: 1 }).map((all) => all.join(' '))

describe('The operator reads at most 80 columns', () => {
  it('in the list of commands, and in the usage of each', () => {
    for (const line of [...usage(), ...commands.flatMap((command) => usageOf(command).split('\n'))]) {
      expect(line.length, line).toBeLessThanOrEqual(WIDTH)
    }
  })

  it('in sentences, of which no word is lost', () => {
    fc.assert(
      fc.property(words, (text) => {
        const lines = wrapped(text, '  ')
        expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(WIDTH)
        expect(lines.map((line) => line.trim()).join(' ')).toBe(text)
      }),
    )
  })

  it('but a link stays whole', () => {
    const link = `https://example.com/${'a'.repeat(100)}`
    expect(wrapped(`This link sets a new password: ${link}`)).toEqual(['This link sets a new password:', link])
  })

  it('in rows of the history, of which no character is lost', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^.{1,500}$/), (text) => {
        const lines = cut(text, '  ')
        expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(WIDTH)
        expect(lines.join('\n').replaceAll('\n  ', '')).toBe(text)
      }),
    )
  })
})
