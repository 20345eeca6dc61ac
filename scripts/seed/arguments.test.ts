import { describe, expect, it } from 'vitest'
import { readSize } from './arguments.ts'

const given = (line: string) => readSize(line.split(' '))

describe('The flags of the seed', () => {
  it('are optional: the default is the small world', () => {
    expect(readSize([])).toBeUndefined()
  })

  it('set the size of each part of the world', () => {
    expect(given('--founders 10 --companies 20 --notes=30 --fellows 4')).toEqual({
      founders: 10,
      companies: 20,
      notes: 30,
      fellows: 4,
    })
  })

  it('may be left out: missing values are in proportion', () => {
    expect(given('--founders 1000')).toEqual({ founders: 1000, companies: 200, notes: 2000, fellows: 40 })
    expect(given('--fellows 2000')).toEqual({ founders: 10_000, companies: 2000, notes: 20_000, fellows: 2000 })
  })

  it.each([
    ['--founders many', '--founders must be a whole number from 0 to 10,000,000.'],
    ['--founders 1e3', '--founders must be a whole number from 0 to 10,000,000.'],
    ['--founders=', '--founders must be a whole number from 0 to 10,000,000.'],
    ['--founders 99999999999', '--founders must be a whole number from 0 to 10,000,000.'],
    ['--fellows 0', '--fellows must be a whole number from 1 to 2,000.'],
    ['--fellows 2001', '--fellows must be a whole number from 1 to 2,000.'],
    ['--founders 0 --notes 5', 'Notes need founders or companies to be about.'],
    [
      '--founders',
      'The seed takes --founders, --companies, --notes and --fellows, each with a number, and nothing else.',
    ],
    [
      '--people 5',
      'The seed takes --founders, --companies, --notes and --fellows, each with a number, and nothing else.',
    ],
    ['5', 'The seed takes --founders, --companies, --notes and --fellows, each with a number, and nothing else.'],
  ])('are refused in one sentence (%s)', (line, sentence) => {
    expect(() => given(line)).toThrow(sentence)
  })
})
