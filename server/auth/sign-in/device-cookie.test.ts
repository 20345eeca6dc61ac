import { describe, expect, it } from 'vitest'
import { signedToken } from '#server/auth/sessions/signed-token.ts'
import { deviceCookie, deviceOf, knownDevice } from './device-cookie.ts'

const SECRET = 'a secret of the server that is long enough'
const account = (id: string, passwordHash: string | null = 'hash', devicesEndedAt: Date | null = null) => ({
  ...{ id, passwordHash, devicesEndedAt },
})

/** A device that has signed in to these accounts, in this order. */
const deviceIn = (...entered: ReturnType<typeof account>[]) => {
  let device: ReturnType<typeof deviceOf>
  for (const one of entered) device = deviceOf(deviceCookie(SECRET, device, one), SECRET)
  return device
}

describe('A device', () => {
  it('is known to the accounts that have signed in there, by one id', () => {
    const device = deviceIn(account('ada'), account('tom', null))
    expect(device?.id).toMatch(/^[\w-]{22}$/)
    expect(knownDevice(SECRET, device, account('ada'))).toBe(device?.id)
    expect(knownDevice(SECRET, device, account('tom', null))).toBe(device?.id)
  })

  it('is not known to other accounts or to an account that does not exist', () => {
    const device = deviceIn(account('ada'))
    expect(knownDevice(SECRET, device, account('tom'))).toBeUndefined()
    expect(knownDevice(SECRET, device, undefined)).toBeUndefined()
    expect(knownDevice(SECRET, undefined, account('ada'))).toBeUndefined()
  })

  it.each<[string, string | null, string | null]>([
    ['changed', 'hash', 'other hash'],
    ['given for the first time', null, 'hash'],
    ['taken away', 'hash', null],
  ])('is no longer known once the password is %s', (_what, before, after) => {
    expect(knownDevice(SECRET, deviceIn(account('ada', before)), account('ada', after))).toBeUndefined()
  })

  it('keeps the five accounts that signed in last', () => {
    const ids = ['one', 'two', 'three', 'four', 'five', 'six', 'two']
    const device = deviceIn(...ids.map((id) => account(id)))
    expect(device?.accounts.map(([id]) => id)).toEqual(['two', 'six', 'five', 'four', 'three'])
    expect(deviceCookie(SECRET, device, account('seven')).length).toBeLessThan(1000)
  })
})

describe('The cookie of a device', () => {
  const cookie = deviceCookie(SECRET, undefined, account('ada'))
  const payload = Buffer.from(JSON.stringify({ id: 'mine', accounts: [['ada', 'version']] })).toString('base64url')

  it.each([
    ['nothing', undefined],
    ['what was not signed', `device-${payload}.${'a'.repeat(43)}=`],
    ['what another secret signed', signedToken(`device-${payload}`, 'another secret of another server!!')],
    ['what we signed for another purpose', signedToken(payload, SECRET)],
    ['a cookie that was changed', cookie.replace(/^device-./, 'device-x')],
  ])('is not %s', (_what, text) => {
    expect(deviceOf(text, SECRET)).toBeUndefined()
  })

  it('reveals nothing about the password', () => {
    const [, text = ''] = cookie.split('.')
    expect(Buffer.from(text, 'base64url').toString()).not.toContain('hash')
  })
})
