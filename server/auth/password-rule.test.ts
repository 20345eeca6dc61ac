import { describe, expect, it } from 'vitest'
import { commonPasswords, refuseWeakPassword } from './password-rule.ts'

const settings = { passwordMin: 6, programmeName: 'Venture Fellows' }
const person = { name: 'Ada Lovelace', email: 'countess42@mit.edu' }

const refusalOf = (password: string, more: Partial<typeof settings> = {}) =>
  refuseWeakPassword({ ...settings, ...more }, password, person).then(
    () => undefined,
    (refusal: { answer: { fields: Record<string, string> } }) => refusal.answer.fields.password,
  )

const COMMON = 'Password is one of the most common ones, which are guessed first'
const ADDRESS = 'Password must not be your email address'
const NAME = 'Password must not be your name'
const PRODUCT = 'Password must not be the name of this product or programme'

describe('A new password', () => {
  it.each([
    ['password', COMMON],
    ['123456', COMMON],
    ['qwerty123', COMMON],
    ['letmein', COMMON],
    ['LetMeIn', COMMON],
    ['ｌｅｔｍｅｉｎ', COMMON],
    ['letmein2026!', COMMON],
    ['!!Dragon99', COMMON],
    ['iloveyou', COMMON],
    ['countess42', ADDRESS],
    ['Countess42!', ADDRESS],
    ['countess2026', ADDRESS],
    ['countess42@mit.edu', ADDRESS],
    ['lovelace', NAME],
    ['AdaLovelace', NAME],
    ['ada lovelace 1815', NAME],
    ['sourcebook', PRODUCT],
    ['Sourcebook1!', PRODUCT],
    ['fellow', PRODUCT],
    ['fellows2026', PRODUCT],
    ['venture', PRODUCT],
    ['VentureFellows', PRODUCT],
    ['venture-fellows-26', PRODUCT],
  ])('must not be %s: %s', async (password, reason) => {
    expect(await refusalOf(password)).toBe(reason)
  })

  it.each([
    'q7f!dkw2mzxp',
    'qz7#kd',
    'a long enough password',
    'correct horse battery staple',
    'pässwörd🦊 ',
    'my fellow travellers',
    'adamant lovelessness',
    'the sourcebook of my life',
  ])('may be %s', async (password) => {
    expect(await refusalOf(password)).toBeUndefined()
  })

  it('is held to the least length that is set, which its sentence names', async () => {
    expect(await refusalOf('q7f!dkw2mz', { passwordMin: 12 })).toBe('Password must be at least 12 characters long')
    expect(await refusalOf('q7f!dkw2mzxp', { passwordMin: 12 })).toBeUndefined()
  })

  it('is compared with more common passwords than can be tried', async () => {
    expect((await commonPasswords()).size).toBeGreaterThan(40_000)
  })
})
