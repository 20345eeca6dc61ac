import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { REFUSED_ADDRESSES } from '#server/auth/test/refused-addresses.ts'
import { mayJoin } from './join-rule.ts'

const TEAM = 'team.example'
const ANY_EDU = { teamDomain: TEAM, joinDomains: undefined }

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
    expect(mayJoin(address, ANY_EDU)).toBe(true)
  })

  it.each(REFUSED_ADDRESSES)('refuses %s', (_what, address) => {
    expect(mayJoin(address, ANY_EDU)).toBe(false)
  })

  it('refuses every string whose last part is neither .edu nor the team domain', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const domain = text.split('@').at(-1)?.toLowerCase() ?? ''
        expect(mayJoin(text, ANY_EDU) && domain !== TEAM && !domain.endsWith('.edu')).toBe(false)
      }),
    )
  })

  describe('where the operator names domains', () => {
    const rule = { teamDomain: TEAM, joinDomains: ['mit.edu', 'cs.foo.edu'] }

    it.each(['a@mit.edu', 'a@cs.MIT.edu', 'a@cs.foo.edu', 'a@x.cs.foo.edu', 'a@team.example'])(
      'lets %s join',
      (address) => {
        expect(mayJoin(address, rule)).toBe(true)
      },
    )

    it.each(['a@foo.edu', 'a@xmit.edu', 'a@mit.edu.edu', 'a@edu', 'a@x.team.example', 'a@mit.edu.evil.com'])(
      'refuses %s, which is outside these domains',
      (address) => {
        expect(mayJoin(address, rule)).toBe(false)
      },
    )
  })
})
