import { describe, expect, it } from 'vitest'
import { ALIKE, companyLikeness, type NameParts, personLikeness } from './likeness.ts'
import { GROUPS, isFirstName, isSameFirstName, nameVariants } from './nicknames.ts'

/** A name as the database splits it. Each word is its own sound, unless another word with the same sound is given. */
const name = (words: string, sounds = words, distinctive = words): NameParts => ({
  words: words.split(' '),
  sounds: sounds.split(' '),
  distinctive: distinctive.split(' '),
})

const alike = (one: NameParts, other: NameParts, likeness = personLikeness) => {
  const [forwards, backwards] = [likeness(one, other), likeness(other, one)]
  expect(forwards).toBe(backwards)
  return forwards >= ALIKE
}

describe('Names of people are similar', () => {
  it.each([
    ['with a wrong letter', 'maya okafor', 'maya okafar'],
    ['in another order', 'maya okafor', 'okafor maya'],
    ['with an initial', 'maya okafor', 'm okafor'],
    ['with a short form', 'bob ashdown', 'robert ashdown'],
    ['with neighbours in one word', 'anne marie girault', 'annemarie girault'],
    ['with three of them in one word', 'pieter van den heuvel', 'pieter vandenheuvel'],
    ['with initials in one word', 'jean paul bourgoin', 'jp bourgoin'],
    ['with the female form of a surname', 'yana sidorov', 'yana sidorova'],
    ['without particles and middle names', 'carlos eduardo de almeida prado', 'carlos prado'],
  ])('%s', (_what, one, other) => {
    expect(alike(name(one), name(other))).toBe(true)
  })

  it('when they sound the same', () => {
    const other = name('alexander czudique', 'alexander chudik')
    expect(alike(name('alexander chudik'), other)).toBe(true)
    expect(personLikeness(name('alexander chudik'), other)).toBeLessThan(1)
    expect(alike(name('alexander chudik'), name('alexander czudique'))).toBe(false)
  })
})

describe('Names of people are not similar', () => {
  it.each([
    ['with another first name', 'marco bellini', 'mario bellini'],
    ['with its female form', 'erik dahl', 'erika dahl'],
    ['with the female form of a name of no list', 'ognjen ilic', 'ognjena ilic'],
    ['with the female form of a first name in -in', 'robin feldt', 'robina feldt'],
    ['with the female form of a surname and another first name', 'igor petrov', 'inga petrova'],
    ['with a letter more in a short word', 'wei wang', 'wei wan'],
    ['with another initial', 'm duarte', 'n duarte'],
    ['with one word alone', 'maya', 'maya okafor'],
    ['with initials alone', 'mo', 'maya okafor'],
    ['with three further names', 'maya okafor', 'maya chidi nkechi osei okafor'],
  ])('%s', (_what, one, other) => {
    expect(alike(name(one), name(other))).toBe(false)
  })
})

describe('Names of companies', () => {
  const company = ([words, distinctive]: readonly [string, string]) => name(words, words, distinctive)

  it.each([
    ['one with and without a common word', ['lumio health', 'lumio'], ['lumio', 'lumio']],
    ['one with the beginning of a common word', ['vireo bio', 'vireo'], ['vireo biotech', 'vireo']],
    ['one mistake in a distinctive word of six letters', ['zalora', 'zalora'], ['zalpra', 'zalpra']],
    ['another first letter in one of seven', ['bramble', 'bramble'], ['vramble', 'vramble']],
    ['the first distinctive word alone', ['bramble foods', 'bramble foods'], ['bramble', 'bramble']],
    ['a space in the distinctive words', ['pigeonpost io', 'pigeonpost'], ['pigeon post', 'pigeon post']],
    [
      'a typing error in a common word',
      ['pinecrest robotics', 'pinecrest'],
      ['pinecrest robtics', 'pinecrest robtics'],
    ],
  ] as const)('are similar: %s', (_what, one, other) => {
    expect(alike(company(one), company(other), companyLikeness)).toBe(true)
  })

  it.each([
    ['another common word', ['apollo energy', 'apollo'], ['apollo health', 'apollo']],
    ['common words alone', ['ai labs', 'ailabs'], ['ai health', 'aihealth']],
    ['one mistake in a word of five letters', ['lotus grid', 'lotus grid'], ['locus grid', 'locus grid']],
    ['another first letter in one of six', ['cortex', 'cortex'], ['vortex', 'vortex']],
    ['a word alone that is not the first', ['bramble foods', 'bramble foods'], ['foods', 'foods']],
    ['the first of three words', ['harbor cable lines', 'harbor cable lines'], ['harbor', 'harbor']],
    ['a short first word', ['delta freight', 'delta freight'], ['delta', 'delta']],
    ['a further distinctive word', ['blue river', 'blue river'], ['blue ridge', 'blue ridge']],
  ] as const)('are not similar: %s', (_what, one, other) => {
    expect(alike(company(one), company(other), companyLikeness)).toBe(false)
  })

  it('are not similar when they only sound alike', () => {
    expect(alike(name('axsys', 'aksis'), name('acsis', 'aksis'), companyLikeness)).toBe(false)
    expect(alike(name('mullwerk', 'mulverk'), name('muellwerk', 'mulverk'), companyLikeness)).toBe(true)
  })
})

describe('First names', () => {
  it('have short forms and forms in other languages', () => {
    expect(isSameFirstName('peggy', 'margaret')).toBe(true)
    expect(isSameFirstName('marco', 'mario')).toBe(false)
    expect([isFirstName('marco'), isFirstName('okafor')]).toEqual([true, false])
  })

  it('vary in a name, with any accents and commas', () => {
    expect(nameVariants('montero, josé')).toContain('montero pepe')
    expect(nameVariants('maya okafor')).toEqual(['maya okafor'])
  })

  it('are in the list once per line, in the spelling of the database', () => {
    for (const group of GROUPS) {
      expect(group).toEqual([...new Set(group)])
      for (const form of group) expect(form).toMatch(/^[a-z]+$/)
    }
  })
})
