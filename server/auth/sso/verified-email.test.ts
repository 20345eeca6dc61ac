import { describe, expect, it } from 'vitest'
import { verifiedEmail } from './verified-email.ts'

const claims = (more: Record<string, unknown>) => ({
  iss: 'https://issuer.test',
  sub: '1',
  email: 'Ada@MIT.edu',
  ...more,
})

describe('The address that an issuer vouches for', () => {
  it.each([
    ['oidc', { email_verified: true }],
    ['oidc', { email_verified: 'true' }],
    ['google', { email_verified: true, hd: 'mit.edu' }],
    ['microsoft', { xms_edov: true }],
    ['microsoft', { xms_edov: '1' }],
    ['microsoft', { xms_edov: 1 }],
  ] as const)('counts at %s with %j', (id, more) => {
    expect(verifiedEmail(id, claims(more))).toBe('ada@mit.edu')
  })

  it.each([
    ['oidc', {}],
    ['oidc', { email_verified: false }],
    ['oidc', { email_verified: 'false' }],
    ['oidc', { email_verified: true, email: undefined }],
    ['oidc', { email_verified: true, email: ['ada@mit.edu'] }],
    ['oidc', { email_verified: true, email: '\u212aada@mit.edu' }],
    ['google', { email_verified: true }],
    ['google', { email_verified: true, hd: 'evil.com' }],
    ['google', { email_verified: false, hd: 'mit.edu' }],
    ['microsoft', { email_verified: true }],
    ['microsoft', { xms_edov: false }],
    ['microsoft', { xms_edov: '0' }],
  ] as const)('does not count at %s with %j', (id, more) => {
    expect(verifiedEmail(id, claims(more))).toBeUndefined()
  })
})
