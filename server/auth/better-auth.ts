import type { AsyncLocalStorage } from 'node:async_hooks'
import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { APIError } from 'better-auth/api'
import { v7 as uuidv7 } from 'uuid'
import { PASSWORD_MAX, PASSWORD_MIN } from '#contract/auth.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, credentials, sessions, verifications } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'
import { withHashedTokens } from './hashed-tokens.ts'
import { mayJoin } from './join-rule.ts'
import { hashPassword, isPassword } from './passwords.ts'

export type AuthOptions = {
  db: Database
  settings: Settings
  secret: string
  sessionCookie: string
  /** Better Auth hashes inside the transaction that creates an account; a hash made before is handed through here. */
  preparedHash: AsyncLocalStorage<string>
}

/** Better Auth on our tables, with our hashing, our cookie and the join rule. */
export function makeAuth({ db, settings, secret, sessionCookie, preparedHash }: AuthOptions) {
  return betterAuth({
    secret,
    baseURL: settings.publicUrl ?? `http://localhost:${settings.port}`,
    logger: { disabled: true },
    telemetry: { enabled: false },
    database: withHashedTokens(
      drizzleAdapter(db, {
        provider: 'pg',
        transaction: true,
        schema: { user: accounts, session: sessions, account: credentials, verification: verifications },
      }),
    ),
    session: {
      fields: { userId: 'accountId' },
      expiresIn: settings.session.idleSeconds,
      cookieCache: { enabled: false },
    },
    account: { fields: { userId: 'accountId', accountId: 'providerAccount', providerId: 'provider' } },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_MIN,
      // Lengths are the contract's to judge, in code points; here they are in code units.
      maxPasswordLength: PASSWORD_MAX * 4,
      password: {
        hash: async (password) => preparedHash.getStore() ?? hashPassword(password),
        verify: ({ hash, password }) => isPassword(hash, password),
      },
    },
    advanced: {
      useSecureCookies: false,
      cookies: {
        session_token: {
          name: sessionCookie,
          attributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: settings.isHttps },
        },
      },
      ipAddress: { ipAddressHeaders: ['x-visitor-ip'] },
      database: { generateId: () => uuidv7() },
    },
    databaseHooks: {
      user: {
        create: {
          before: async (user) => {
            if (!mayJoin(user.email, settings.teamDomain)) throw new APIError('FORBIDDEN')
          },
        },
      },
    },
  })
}
