import { describe, expect, it } from 'vitest'
import { initialOf, initialsOf } from './initials.ts'

describe('The initial of a name', () => {
  it.each([
    ['ada', 'A'],
    ['  grace', 'G'],
    ['👩‍🚀 Ride', '👩‍🚀'],
    ['🦊', '🦊'],
    ['e\u0301mile', 'E\u0301'],
    [' ', '?'],
  ])('of %j is %j', (name, initial) => {
    expect(initialOf(name)).toBe(initial)
  })
})

describe('The initials of a name', () => {
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
