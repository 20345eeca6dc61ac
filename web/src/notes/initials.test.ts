import { describe, expect, it } from 'vitest'
import { initialsOf } from './initials.ts'

describe("An author's initials", () => {
  it.each([
    ['Ada Lovelace', 'AL'],
    ['ada  de la lovelace ', 'AL'],
    ['Ada', 'A'],
    ['ada@mit.edu', 'A'],
    ['e\u0301mile zola', 'E\u0301Z'],
    ['👩‍🚀 Ride', '👩‍🚀R'],
    ['', '?'],
  ])('of %j are %j', (name, initials) => {
    expect(initialsOf(name)).toBe(initials)
  })
})
