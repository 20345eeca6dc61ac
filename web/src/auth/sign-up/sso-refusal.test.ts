import { expect, it, vi } from 'vitest'

// The settings of a page are in its document.
vi.stubGlobal('document', { querySelector: () => null })
const { ssoRefusal } = await import('./sso-refusal.ts')

it.each([
  ['not_allowed', /^That account may not join\. Use /],
  ['not_verified', /^That account has not confirmed its email address\./],
  ['sso_failed', /^Single sign-on failed\./],
  ['other_identity', /^This address was linked to a different account there\./],
  ['disabled', /^This account is disabled\. Ask an administrator\.$/],
  ['address_disabled', /another spelling of this address is disabled/],
  ['invitation_required', /^Signing up is by invitation only\./],
  ['approval_pending', /^Your account is waiting for approval\./],
])('The refusal %s of single sign-on is said in words', (code, sentence) => {
  expect(ssoRefusal(code)).toMatch(sentence)
})

it.each(['constructor', 'unknown', null])('There are no words for %s', (code) => {
  expect(ssoRefusal(code)).toBeUndefined()
})
