import { describe, expect, it } from 'vitest'
import { EXCERPT_MAX } from '#contract/limits.ts'
import { excerptOf } from './secondary-matches.ts'

describe('An excerpt around a term', () => {
  it('is the whole text if it is short', () => {
    expect(excerptOf('Raised Quokkas', 'quokka')).toBe('Raised Quokkas')
    expect(excerptOf('Raised Quokkas', 'wombat')).toBeUndefined()
    expect(excerptOf({ city: 'Quokka' }, 'quokka')).toBeUndefined()
  })

  it.each([0, 1, 50, 400, 795, 900])('contains the term at %i, and has at most 160 characters', (at) => {
    const text = `${'ab '.repeat(300).slice(0, at)}Quokka${' cd'.repeat(300)}`.slice(0, 906)
    const excerpt = excerptOf(text, 'QUOKKA') as string
    expect(excerpt).toContain('Quokka')
    expect(excerpt.length).toBeLessThanOrEqual(EXCERPT_MAX)
    expect(excerpt.length).toBeGreaterThan(150)
    expect([excerpt.startsWith('…'), excerpt.endsWith('…')]).toEqual([at > 80, at < 800])
  })

  it('contains the term where folding changes the length of the text, and cuts no character in two', () => {
    expect(excerptOf(`İİİ ${'x'.repeat(300)} Quokka`, 'quokka')).toMatch(/^….*Quokka$/)
    const folded = `${'ß'.repeat(100)}${'\u00ad'.repeat(250)} Große Straße ${'æ'.repeat(300)}`
    expect(excerptOf(folded, 'grosse strasse')).toContain('Große Straße')
    expect(excerptOf('Große Straße', 'grosse')).toBe('Große Straße')
    expect(excerptOf(`${'🚀'.repeat(300)} Quokka ${'🚀'.repeat(300)}`, 'quokka')).not.toMatch(
      /[^\u2026 -\u007a\p{Emoji}]/u,
    )
    const long = 'x'.repeat(200)
    expect(excerptOf(`a ${long} b`, long)?.length).toBeLessThanOrEqual(EXCERPT_MAX)
  })
})
