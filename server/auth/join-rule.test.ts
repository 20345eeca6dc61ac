import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
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

  it.each([
    ['another domain', 'x@evil.com'],
    ['.edu that is not the end', 'x@mit.edu.evil.com'],
    ['a label that only ends in edu', 'x@mitedu'],
    ['edu without a label before it', 'evil@edu'],
    ['an empty label', 'x@.edu'],
    ['two dots in the domain', 'x@a..edu'],
    ['a dot at the end', 'x@foo.edu.'],
    ['an academic domain of another country', 'x@uni.edu.au'],
    ['a label that begins with a hyphen', 'x@-a.edu'],
    ['a label that ends with a hyphen', 'x@a-.edu'],
    ['a label of 64 letters', `x@${'a'.repeat(64)}.edu`],
    ['a domain below the team domain', 'x@sub.team.example'],
    ['a domain that ends like the team domain', 'x@notteam.example'],
    ['the team domain under another', 'x@team.example.evil.com'],
    ['no local part', '@foo.edu'],
    ['a local part of 65 letters', `${'a'.repeat(65)}@foo.edu`],
    ['a local part with a dot first', '.a@foo.edu'],
    ['a local part with a dot last', 'a.@foo.edu'],
    ['a local part with two dots', 'a..b@foo.edu'],
    ['a second @', 'a@evil.com@foo.edu'],
    ['two addresses', 'x@foo.edu,evil@evil.com'],
    ['two addresses apart by a semicolon', 'x@evil.com;x@foo.edu'],
    ['a space', 'x@evil.com x@foo.edu'],
    ['a fragment', 'x@evil.com#.edu'],
    ['a query', 'x@evil.com?.edu'],
    ['a path', 'x@evil.com/.edu'],
    ['an address literal', 'x@[127.0.0.1].edu'],
    ['a quoted local part', '"x@evil.com"@foo.edu'],
    ['a quoted simple local part', '"x"@foo.edu'],
    ['a comment', 'x(c)@foo.edu'],
    ['an encoded word', '=?utf-8?q?x=40evil.com=3e=00?=@foo.edu'],
    ['a percent route', 'x%evil.com@foo.edu'],
    ['a bang route', 'evil.com!x@foo.edu'],
    ['full-width letters', 'x@foo.ｅｄｕ'],
    ['an ideographic full stop', 'x@foo。edu'],
    ['a soft hyphen', 'x@fo\u00ado.edu'],
    ['the Kelvin sign', 'x@\u212aent.edu'],
    ['a Cyrillic letter', 'х@foo.edu'],
    ['a zero-width space', 'x\u200b@foo.edu'],
    ['a punycode label', 'x@xn--fo-tka.edu'],
    ['a control character', 'x\u0001@foo.edu'],
    ['nothing', ''],
  ])('refuses %s', (_what, address) => {
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
