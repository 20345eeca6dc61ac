import { z } from 'zod'
import { email } from '#contract/auth.ts'
import type { SsoIssuer } from '#server/env-sso.ts'
import type { Claims } from './issuer.ts'

const isTrue = (claim: unknown) => claim === true || claim === 1 || claim === 'true' || claim === '1'

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/**
 * What counts as a verified address, for each issuer. An account belongs to the owner of its address, so an issuer
 * counts only for what it has checked itself:
 * - Google is authoritative for the domains that it hosts, which it names in `hd`. It checked any other address once,
 * possibly for a person who has since lost it.
 * - At Microsoft any administrator of a tenant may write any address into `email`. `xms_edov` says that the tenant has
 * proved that it owns the domain.
 */
const isVerified: Record<SsoIssuer['id'], (claims: Claims, address: string) => boolean> = {
  google: (claims, address) =>
    isTrue(claims.email_verified) && String(claims.hd ?? '').toLowerCase() === domainOf(address),
  microsoft: (claims) => isTrue(claims.xms_edov),
  oidc: (claims) => isTrue(claims.email_verified),
}

/** The address that an issuer vouches for; undefined when it names none or has not checked it. */
export function verifiedEmail(id: SsoIssuer['id'], claims: Claims): string | undefined {
  const address = z.safeParse(email, claims.email).data
  return address !== undefined && isVerified[id](claims, address) ? address.toLowerCase() : undefined
}
