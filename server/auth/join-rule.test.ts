import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { REFUSED_ADDRESSES } from '#server/test/refused-addresses.ts'
import { mayJoin } from './join-rule.ts'

const TEAM = 'team.example'

describe('Who may join', () => {
  it.each([
    'a@mit.edu',
    'a@cs.mit.edu',
    'A.B@MIT.EDU',
    "o'neil_1+tag-x@foo.edu",
    'x@team.example',
    'X@TEAM.example',
    `${'a'.repeat(64)}@mit.edu`,
  ])('lets %s join', (address) => {
    expect(mayJoin(address, TEAM)).toBe(true)
  })

  it.each(REFUSED_ADDRESSES)('refuses %s', (_what, address) => {
    expect(mayJoin(address, TEAM)).toBe(false)
  })

  it('lets no string join whose last part is neither .edu nor the team domain', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const domain = text.split('@').at(-1)?.toLowerCase() ?? ''
        expect(mayJoin(text, TEAM) && domain !== TEAM && !domain.endsWith('.edu')).toBe(false)
      }),
    )
  })
})
