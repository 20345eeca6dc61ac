import { AsyncLocalStorage } from 'node:async_hooks'
import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { APIError } from 'better-auth/api'
import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { PASSWORD_MAX, PASSWORD_MIN, type RegisterInput } from '#contract/auth.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, credentials, sessions, verifications } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'
import { addressRefused, addressTaken, wrongPair } from '#server/errors.ts'
import { withHashedTokens } from './hashed-tokens.ts'
import { mayJoin } from './join-rule.ts'
import { hashingTurns, hashPassword, isPassword } from './passwords.ts'
import { countWrongPassword, forgetWrongPasswords, refuseWhileBlocked } from './throttle.ts'

/** Where a request comes from, as kept with its session. */
export type Visitor = { ip: string; userAgent: string }

/** What a way in opened: who it is, the token of the new session, and the cookies to set. */
export type Entry = { user: { name: string; email: string }; token: string; cookies: string[] }

export type Accounts = ReturnType<typeof openAccounts>

/** All that the product does with accounts and passwords, on Better Auth. Throws the refusals of `errors.ts`. */
export function openAccounts(options: { db: Database; settings: Settings; secret: string; sessionCookie: string }) {
  const { db, settings } = options
  const turn = hashingTurns()
  // Better Auth hashes inside the transaction that creates the account, and no transaction may wait that long: so the
  // hash is made before, and handed through here.
  const preparedHash = new AsyncLocalStorage<string>()

  const auth = betterAuth({
    secret: options.secret,
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
          name: options.sessionCookie,
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

  const exists = async (email: string): Promise<boolean> => {
    const found = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.email, email.toLowerCase()))
    return found.length > 0
  }

  return {
    exists,

    /** Creates an account and its first session. 403 for an address that may not join, 409 for one that is taken. */
    async signUp(input: RegisterInput, visitor: Visitor): Promise<Entry> {
      if (await exists(input.email)) throw addressTaken()
      const hash = await turn(() => hashPassword(input.password))
      try {
        const opened = await preparedHash.run(hash, () =>
          auth.api.signUpEmail({ body: input, headers: headersOf(visitor), returnHeaders: true }),
        )
        return entryOf(opened.headers, opened.response)
      } catch (error) {
        if (isRefusal(error, 403)) throw addressRefused(settings.teamDomain)
        // Two sign-ups of one address at once: the unique index let one through.
        if (error instanceof APIError && (await exists(input.email))) throw addressTaken()
        throw error
      }
    },

    /** Opens a session. A wrong pair is 401, the same and after the same work whether or not the address exists. */
    signIn(input: { email: string; password: string }, visitor: Visitor): Promise<Entry> {
      // Inside the turn, so that of many tries at once only as many run as are still free.
      return turn(async () => {
        await refuseWhileBlocked(db, settings.throttle, input.email, visitor.ip)
        try {
          const opened = await auth.api.signInEmail({ body: input, headers: headersOf(visitor), returnHeaders: true })
          await forgetWrongPasswords(db, input.email)
          return entryOf(opened.headers, opened.response)
        } catch (error) {
          if (!isRefusal(error, 401) && !isRefusal(error, 400)) throw error
          await countWrongPassword(db, settings.throttle, input.email, visitor.ip)
          throw wrongPair()
        }
      })
    },
  }
}

const headersOf = (visitor: Visitor) =>
  new Headers({ 'user-agent': visitor.userAgent.replaceAll(/[^\x20-\x7e]/g, ''), 'x-visitor-ip': visitor.ip })

const entryOf = (headers: Headers, opened: { token: string | null; user: { name: string; email: string } }): Entry => {
  if (opened.token === null) throw new Error('A sign-in came back without a session')
  return { user: opened.user, token: opened.token, cookies: headers.getSetCookie() }
}

const isRefusal = (error: unknown, status: number) => error instanceof APIError && error.statusCode === status
