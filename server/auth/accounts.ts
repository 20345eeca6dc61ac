import { AsyncLocalStorage } from 'node:async_hooks'
import { eq } from 'drizzle-orm'
import type { RegisterInput } from '#contract/auth.ts'
import { accounts } from '#server/db/schema.ts'
import { addressRefused, addressTaken, wrongPair } from '#server/errors.ts'
import type { AuthOptions, makeAuth } from './better-auth.ts'
import { hashingTurns, hashPassword } from './passwords.ts'
import { countWrongPassword, forgetWrongPasswords, refuseWhileBlocked } from './throttle.ts'

/** Where a request comes from, as kept with its session. */
export type Visitor = { ip: string; userAgent: string }

/** What a way in opened: who it is, the token of the new session, and the cookies to set. */
export type Entry = { user: { name: string; email: string }; token: string; cookies: string[] }

export type Accounts = ReturnType<typeof openAccounts>

/** All that the product does with accounts and passwords, on Better Auth. Throws the refusals of `errors.ts`. */
export function openAccounts(options: Omit<AuthOptions, 'preparedHash'>) {
  const { db, settings } = options
  const turn = hashingTurns()
  // Better Auth hashes inside the transaction that creates the account, and no transaction may wait that long: so the
  // hash is made before, and handed through here.
  const preparedHash = new AsyncLocalStorage<string>()

  // Better Auth takes half a second to load: after the start, and well before anyone has typed a password.
  let made: Promise<ReturnType<typeof makeAuth>> | undefined
  const auth = () => {
    made ??= import('./better-auth.ts').then((module) => module.makeAuth({ ...options, preparedHash }))
    return made
  }

  const exists = async (email: string): Promise<boolean> => {
    const found = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.email, email.toLowerCase()))
    return found.length > 0
  }

  return {
    exists,

    /** Loads what the first sign-in would have to wait for. */
    warmUp: async () => void (await auth()),

    /** Creates an account and its first session. 403 for an address that may not join, 409 for one that is taken. */
    async signUp(input: RegisterInput, visitor: Visitor): Promise<Entry> {
      if (await exists(input.email)) throw addressTaken()
      const { api } = await auth()
      const hash = await turn(() => hashPassword(input.password))
      try {
        const opened = await preparedHash.run(hash, () =>
          api.signUpEmail({ body: input, headers: headersOf(visitor), returnHeaders: true }),
        )
        return entryOf(opened.headers, opened.response)
      } catch (error) {
        if (isRefusal(error, 403)) throw addressRefused(settings.teamDomain)
        // Two sign-ups of one address at once: the unique index let one through.
        if (isRefusal(error) && (await exists(input.email))) throw addressTaken()
        throw error
      }
    },

    /** Opens a session. A wrong pair is 401, the same and after the same work whether or not the address exists. */
    signIn(input: { email: string; password: string }, visitor: Visitor): Promise<Entry> {
      // Inside the turn, so that of many tries at once only as many run as are still free.
      return turn(async () => {
        await refuseWhileBlocked(db, settings.throttle, input.email, visitor.ip)
        try {
          const opened = await (await auth()).api.signInEmail({
            body: input,
            headers: headersOf(visitor),
            returnHeaders: true,
          })
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

/** Whether Better Auth refused, with this status where one is given. */
const isRefusal = (error: unknown, status?: number): boolean =>
  error instanceof Error &&
  error.name === 'APIError' &&
  (status === undefined || (error as { statusCode?: number }).statusCode === status)
