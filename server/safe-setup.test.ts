import { describe, expect, it } from 'vitest'
import { readSettings } from './ops/settings.ts'
import { refuseUnsafeSetup } from './safe-setup.ts'

const refusal = (environment: Record<string, string>): string => {
  try {
    refuseUnsafeSetup(readSettings(environment))
    return 'none'
  } catch (error) {
    return (error as Error).message
  }
}
const MAIL = { SMTP_URL: 'smtp://127.0.0.1:1' }
const ISSUER = { OIDC_ISSUER: 'https://login.campus.edu', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }

describe('A safe set-up', () => {
  it.each<[string, Record<string, string>]>([
    ['no settings', {}],
    ['another address of this machine', { HOST: '127.1.2.3', PUBLIC_URL: 'http://127.0.0.1:8080' }],
    ['the name of this machine', { HOST: 'LocalHost', PUBLIC_URL: 'http://localhost:3000' }],
    ['a name under localhost', { PUBLIC_URL: 'http://book.localhost:3000' }],
    ['this machine by IPv6', { HOST: '::1', PUBLIC_URL: 'http://[::1]:3000' }],
    ['everyone, with mail', { HOST: '0.0.0.0', PUBLIC_URL: 'http://book.example.com', ...MAIL }],
    ['everyone, without proof on the word of the operator', { HOST: '0.0.0.0', UNVERIFIED_ADDRESSES: 'allow' }],
    ['a proxy that is named', { PUBLIC_URL: 'https://book.example.com', TRUST_PROXY: 'loopback', ...MAIL }],
    ['https without a proxy', { PUBLIC_URL: 'https://book.example.com', TRUST_PROXY: 'false', ...MAIL }],
  ])('starts: %s', (_what, environment) => {
    expect(refusal(environment)).toBe('none')
  })
})

describe('An unsafe set-up', () => {
  it.each<[string, Record<string, string>]>([
    ['https', { PUBLIC_URL: 'https://book.example.com', ...MAIL }],
    ['https on this machine', { PUBLIC_URL: 'https://localhost' }],
    ['an empty answer', { PUBLIC_URL: 'https://book.example.com', TRUST_PROXY: '', ...MAIL }],
  ])('does not start without a setting about the proxy: %s', (_what, environment) => {
    expect(refusal(environment)).toMatch(
      /^Sourcebook cannot start because these settings are unsafe:\n {2}TRUST_PROXY must be set, because PUBLIC_URL is https: to loopback .*or to false where no proxy comes before it\.$/,
    )
  })

  it.each<[string, string, Record<string, string>]>([
    ['HOST (0.0.0.0)', 'every address', { HOST: '0.0.0.0' }],
    ['HOST (::)', 'every address of either kind', { HOST: '::' }],
    ['HOST (192.168.1.5)', 'an address of the network', { HOST: '192.168.1.5' }],
    ['HOST (127.0.0.1.evil.com)', 'a name that begins like this machine', { HOST: '127.0.0.1.evil.com' }],
    ['HOST (notlocalhost)', 'a name that ends like this machine', { HOST: 'notlocalhost' }],
    ['HOST (0.0.0.0)', 'a local address for people', { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' }],
    ['PUBLIC_URL (http://book.example.com)', 'a proxy before it', { PUBLIC_URL: 'http://book.example.com' }],
    ['PUBLIC_URL (http://localhost.example.com)', 'a name like it', { PUBLIC_URL: 'http://localhost.example.com' }],
    ['HOST (0.0.0.0)', 'single sign-on, which passwords stand beside', { HOST: '0.0.0.0', ...ISSUER }],
  ])('does not start without mail: %s, %s', (exposed, _what, environment) => {
    const said = refusal(environment)
    expect(said).toContain(`  SMTP_URL must be set, because ${exposed} can be reached from other machines`)
    expect(said).toContain('a container whose port is published on 127.0.0.1 alone, set UNVERIFIED_ADDRESSES=allow')
  })

  it('gets all reasons together', () => {
    const said = refusal({ HOST: '0.0.0.0', PUBLIC_URL: 'https://book.example.com' })
    expect(said.split('\n')).toEqual([
      'Sourcebook cannot start because these settings are unsafe:',
      expect.stringContaining('TRUST_PROXY'),
      expect.stringContaining('HOST (0.0.0.0) and PUBLIC_URL (https://book.example.com)'),
    ])
  })
})
