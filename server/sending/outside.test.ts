import { describe, expect, it } from 'vitest'
import { namesOutside, outsideName } from './outside.ts'

describe('Outside the page every name is text', () => {
  it.each([
    ['is at most 60 characters', 'x'.repeat(61), `${'x'.repeat(59)}…`],
    ['of 60 characters stays, also of emoji', '🦊'.repeat(60), '🦊'.repeat(60)],
    ['is no link: a dot gets U+2060', 'evil.example', 'evil.\u2060example'],
    ['is no link with another dot', 'evil。example', 'evil。\u2060example'],
    ['is no link with an address', 'https://a b@c', 'https:\u2060//a b@\u2060c'],
    ['has no control characters and stays on a line', 'Ada\r\nBcc: x\u0007', 'Ada Bcc: x'],
    ['has no bidi characters', 'Ada\u202egnp.exe\u2066', 'Adagnp.\u2060exe'],
    ['of nothing else is not empty', '\u202e', '…'],
  ])('A name %s', (_what, name, shown) => {
    expect(outsideName(name)).toBe(shown)
  })

  it('A manager may switch names off for all', () => {
    const names = namesOutside(false)
    expect([names.fellow('Maya'), names.record('Ada', 'founder'), names.word('Met')]).toEqual([
      'a fellow',
      'a founder',
      'Met',
    ])
  })

  it('No person’s words but the names of lists', () => {
    expect(namesOutside(true).value('title', 'CEO <b>')).toBe('a new title')
  })
})
