import { z } from 'zod'
import { email } from '#contract/auth.ts'
import type { Claims } from './issuer.ts'
import type { SsoIssuer } from './settings.ts'

const isTrue = (claim: unknown) => claim === true || claim === 1 || claim === 'true' || claim === '1'

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/**
 * What proves an address, at each issuer. An account here belongs to whoever has its address, so an issuer's word counts
 * only for what it has checked itself:
 * - Google is the authority for the domains that it hosts, which it names in `hd`; another address was checked once, by
 *   somebody who may long have lost it.
 * - At Microsoft anyone who runs a tenant may write any address into `email`; `xms_edov` says that the tenant has shown
 *   the domain to be its own.
 */
const isProven: Record<SsoIssuer['id'], (claims: Claims, address: string) => boolean> = {
  google: (claims, address) =>
    isTrue(claims.email_verified) && String(claims.hd ?? '').toLowerCase() === domainOf(address),
  microsoft: (claims) => isTrue(claims.xms_edov),
  oidc: (claims) => isTrue(claims.email_verified),
}

/** The address that an issuer vouches for; undefined when it names none, or has not checked it. */
export function verifiedEmail(id: SsoIssuer['id'], claims: Claims): string | undefined {
  const address = z.safeParse(email, claims.email).data
  return address !== undefined && isProven[id](claims, address) ? address.toLowerCase() : undefined
}
