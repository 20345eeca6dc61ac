import { z } from 'zod'
import type { SsoChoice } from '#contract/auth.ts'
import { isWebAddress } from '#contract/plain-text.ts'

// The single sign-on issuers in the settings. Each needs its id and its secret; without both it is off.

/** One single sign-on issuer. `id` is part of the URL that the issuer sends people back to. */
export type SsoIssuer = SsoChoice & { issuer: string; clientId: string; clientSecret: string }

const text = z.string().trim().min(1)

export const ssoSettings = {
  GOOGLE_CLIENT_ID: text.optional(),
  GOOGLE_CLIENT_SECRET: text.optional(),
  MICROSOFT_CLIENT_ID: text.optional(),
  MICROSOFT_CLIENT_SECRET: text.optional(),
  MICROSOFT_TENANT: text
    .regex(/^[A-Za-z0-9.-]+$/, 'must be a tenant: its id, its domain, or organizations')
    .default('organizations'),
  OIDC_ISSUER: text
    .refine(isWebAddress, 'must be the address of an OpenID issuer, such as https://login.example.com')
    .optional(),
  OIDC_CLIENT_ID: text.optional(),
  OIDC_CLIENT_SECRET: text.optional(),
  OIDC_NAME: text.max(50, 'must be at most 50 characters').default('single sign-on'),
}

type Environment = z.infer<z.ZodObject<typeof ssoSettings>>

const TOGETHER = [
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
] as const

/** Refuses an issuer that is half set up: its button would be missing without any error. */
export function refuseHalfAnIssuer(env: Environment, context: z.RefinementCtx): void {
  for (const names of TOGETHER) {
    const given = names.find((name) => env[name] !== undefined)
    if (given === undefined) continue
    for (const name of names) {
      if (env[name] !== undefined) continue
      context.addIssue({ code: 'custom', path: [name], message: `must be set with ${given}` })
    }
  }
}

/** The configured issuers, in the order in which the page shows them. */
export function ssoIssuers(env: Environment): SsoIssuer[] {
  const issuers = [
    {
      id: 'google' as const,
      name: 'Google',
      issuer: 'https://accounts.google.com',
      clientId: env.GOOGLE_CLIENT_ID,
      clientSecret: env.GOOGLE_CLIENT_SECRET,
    },
    {
      id: 'microsoft' as const,
      name: 'Microsoft',
      issuer: `https://login.microsoftonline.com/${env.MICROSOFT_TENANT}/v2.0`,
      clientId: env.MICROSOFT_CLIENT_ID,
      clientSecret: env.MICROSOFT_CLIENT_SECRET,
    },
    {
      id: 'oidc' as const,
      name: env.OIDC_NAME,
      issuer: env.OIDC_ISSUER,
      clientId: env.OIDC_CLIENT_ID,
      clientSecret: env.OIDC_CLIENT_SECRET,
    },
  ]
  return issuers.filter((one): one is SsoIssuer => !!one.issuer && !!one.clientId && !!one.clientSecret)
}
