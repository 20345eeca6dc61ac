import { describe, expect, it } from 'vitest'
import { ALIKE, companyLikeness, type NameParts, personLikeness } from './likeness.ts'
import { GROUPS, isFirstName, isSameFirstName, nameVariants } from './nicknames.ts'

/** A name as the database splits it. Each word is its own sound, unless another word with the same sound is given. */
const name = (words: string, sounds = words, keys = sounds): NameParts => ({
  words: words.split(' '),
  sounds: sounds.split(' '),
  keys: keys.split(' '),
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
  const company = ([words, keys]: readonly [string, string]) => name(words, words, keys)

  it.each([
    ['one with and without a common word', ['lumio health', 'lumio'], ['lumio', 'lumio']],
    ['one with the beginning of a common word', ['vireo bio', 'vireo'], ['vireo biotech', 'vireo']],
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
    ['a further distinctive word', ['blue river', 'blue river'], ['blue ridge', 'blue ridge']],
  ] as const)('are not similar: %s', (_what, one, other) => {
    expect(alike(company(one), company(other), companyLikeness)).toBe(false)
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
