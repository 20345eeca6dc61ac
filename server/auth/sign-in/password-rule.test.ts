import { describe, expect, it } from 'vitest'
import { commonPasswords, refuseWeakPassword } from './password-rule.ts'

const settings = { passwordMin: 6, programmeName: 'Venture Fellows' }
const person = { name: 'Ada Lovelace', email: 'countess42@mit.edu' }

const refusalOf = (password: string, more: Partial<typeof settings> = {}) =>
  refuseWeakPassword({ ...settings, ...more }, password, person).then(
    () => undefined,
    (refusal: { answer: { fields: Record<string, string> } }) => refusal.answer.fields.password,
  )

const COMMON = 'This password is too common. Choose another.'
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
    ['iloveyou', COMMON],
    ['countess42', ADDRESS],
    ['Countess42', ADDRESS],
    ['Countess42@MIT.edu', ADDRESS],
    ['Ada Lovelace', NAME],
    ['ada lovelace', NAME],
    ['sourcebook', PRODUCT],
    ['venture fellows', PRODUCT],
  ])('must not be %s: %s', async (password, reason) => {
    expect(await refusalOf(password)).toBe(reason)
  })

  it.each([
    'Harbour-22',
    'Summer2026!',
    'mydog42',
    'jane2025',
    'letmein2026!',
    '!!Dragon99',
    'countess2026',
    'adalovelace',
    'Sourcebook1!',
    'venture-fellows-26',
    'q7f!dkw2mzxp',
    'qz7#kd',
    'correct horse battery staple',
    'pässwörd🦊 ',
  ])('may be %s', async (password) => {
    expect(await refusalOf(password)).toBeUndefined()
  })

  it('must have the configured minimum length, which the message names', async () => {
    expect(await refusalOf('q7f!dkw2mz', { passwordMin: 12 })).toBe('Password must be at least 12 characters long')
    expect(await refusalOf('q7f!dkw2mzxp', { passwordMin: 12 })).toBeUndefined()
  })

  it('is compared with more common passwords than the limits allow to try', async () => {
    expect((await commonPasswords()).size).toBeGreaterThan(40_000)
  })
})
