import type { SsoChoice } from '#contract/auth.ts'

/** A setting that the server writes into the page, as `<meta name="…">` in index.html. */
const written = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

export const settings = {
  teamDomain: written('team-domain'),
  /** The .edu domains that may join; empty when all may. */
  joinDomains: written('join-domains').split(' ').filter(Boolean),
  programmeName: written('programme-name'),
  /** Whom to ask for help, as the operator writes it. */
  contact: written('contact') || 'a manager',
  /** Whether the server sends mail, to confirm addresses and to reset passwords. */
  mail: written('mail') === 'true',
  sso: JSON.parse(written('sso') || '[]') as SsoChoice[],
  passwordMin: Number(written('password-min')),
  cspNonce: written('csp-nonce'),
  /** Whether the operator lets browsers keep what the add forms need without a network. */
  serviceWorker: written('service-worker') === 'on',
  /**
   * The public id of the account that the page was loaded with; empty without a session. A screen's data need not wait for
   * the current user.
   */
  account: written('account'),
}
