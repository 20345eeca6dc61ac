import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  CheckUserAnswer,
  CheckUserInput,
  CodeInput,
  LoginAnswer,
  LoginInput,
  MeAnswer,
  RegisterAnswer,
  RegisterInput,
  SmartAuthAnswer,
  SmartAuthInput,
  UserAnswer,
} from '#contract/auth.ts'
import { originOf } from '#server/audit-log/actor.ts'
import { recordAccountEvent } from '#server/audit-log/entries.ts'
import type { App } from '#server/http/app.ts'
import {
  accountDisabled,
  addressTaken,
  approvalPending,
  invalidCredentials,
  notSignedIn,
  signInExpired,
  signupRequired,
  verifyFirst,
  wrongCode,
} from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import type { Services } from '#server/services.ts'
import { createToken, findToken, SIGN_UP_SECONDS, TWO_FACTOR_SECONDS, takeToken } from './links/one-time-tokens.ts'
import { clientInfoOf } from './sessions/guard.ts'
import { deleteSession, sessionOf } from './sessions/session.ts'
import { type Counter, countOrRefuse, questionsFrom } from './sign-in/throttle.ts'
import { findInvitation } from './sign-up/invitations.ts'
import { refuseAddress, refuseSignUp, signUpRefusals } from './sign-up/sign-up.ts'
import { getAccount, hasAccount, type KnownAccount, lockUnchanged } from './store.ts'
import { spendCode } from './two-factor/store.ts'

const SIGN_IN_REFUSALS = [invalidCredentials(), accountDisabled(), verifyFirst(true), approvalPending()]

const tag = 'Sign-in'

const userOf = ({ name, email }: { name: string; email: string }) => ({ name, email })

/** Sign-up, sign-in and sign-out with a password. */
export function authRoutes(app: App, { db, settings, secret, accounts, emailVerification, guard }: Services) {
  /** Continues after a correct password: with a link to open, a code to enter, or the session. */
  async function signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    input: { email: string; password: string },
    more: Counter[] = [],
  ) {
    const account = await accounts.signIn(input, clientInfoOf(request), more)
    if (emailVerification.isDue(account)) throw verifyFirst(await emailVerification.send(account, request.ip))
    if (account.hasTwoFactor) {
      const token = await db.transaction(async (tx) => {
        await lockUnchanged(tx, account)
        return createToken(tx, 'two_factor', account.id, TWO_FACTOR_SECONDS)
      })
      guard.setCookie(reply, 'twoFactor', token, TWO_FACTOR_SECONDS)
      return { action: 'two_factor' as const }
    }
    await guard.startSession(request, reply, account)
    return { user: userOf(account) }
  }

  /** Continues after sign-up: with a link to open, or the session. */
  async function signUp(request: FastifyRequest, reply: FastifyReply, input: RegisterInput) {
    const account: KnownAccount = await accounts.signUp(input, originOf(request))
    if (emailVerification.isDue(account)) {
      guard.setCookie(reply, 'signUp', await emailVerification.bindToBrowser(account.id), SIGN_UP_SECONDS)
      const isMailed = await emailVerification.send(account, request.ip)
      return { action: 'verify_email' as const, user: userOf(account), isMailed }
    }
    if (account.pendingSince !== null) return { action: 'approval_pending' as const, user: userOf(account) }
    await guard.startSession(request, reply, account)
    return { user: userOf(account) }
  }

  /** Throws the 403 that a sign-up would get, for a caller whose address has no account. */
  async function refuseNewcomer({ email, invitation }: { email: string; invitation?: string | undefined }) {
    const found = await findInvitation(db, email, invitation)
    await refuseSignUp(db, settings, { email, invitation: found, hasLink: invitation !== undefined })
  }

  app.post(
    '/auth/check-user',
    head({
      ...{ operationId: 'checkUser', summary: 'Find out whether an address has an account', tag },
      audit: { action: 'check-user' },
      body: CheckUserInput,
      answers: { 200: CheckUserAnswer },
      refusals: signUpRefusals(settings),
      isThrottled: true,
    }),
    async (request) => {
      const { email } = request.body
      const exists = await hasAccount(db, email)
      if (!exists) await refuseAddress(db, settings, email)
      await countOrRefuse(db, questionsFrom(settings.throttle, request.ip))
      if (!exists) await refuseNewcomer(request.body)
      return { exists, action: exists ? ('login' as const) : ('signup' as const) }
    },
  )

  app.post(
    '/auth/register',
    head({
      ...{ operationId: 'registerUser', summary: 'Sign up with a password', tag },
      audit: { action: 'register' },
      body: RegisterInput,
      answers: { 201: RegisterAnswer },
      refusals: [...signUpRefusals(settings), addressTaken()],
      isThrottled: true,
    }),
    async (request, reply) => reply.code(201).send(await signUp(request, reply, request.body)),
  )

  app.post(
    '/auth/login',
    head({
      ...{ operationId: 'loginUser', summary: 'Sign in with a password', tag },
      audit: { action: 'login' },
      body: LoginInput,
      answers: { 200: LoginAnswer },
      refusals: SIGN_IN_REFUSALS,
      isThrottled: true,
    }),
    (request, reply) => signIn(request, reply, request.body),
  )

  app.post(
    '/auth/smart-auth',
    head({
      ...{ operationId: 'loginOrRegisterUser', summary: 'Sign in, or sign up with a name', tag },
      audit: { action: 'login' },
      body: SmartAuthInput,
      answers: { 200: SmartAuthAnswer },
      refusals: [...SIGN_IN_REFUSALS, ...signUpRefusals(settings), signupRequired(), addressTaken()],
      isThrottled: true,
    }),
    async (request, reply) => {
      const { email, password, name, invitation } = request.body
      const questions = questionsFrom(settings.throttle, request.ip)
      if (await hasAccount(db, email)) {
        // Without it, a 429 for new addresses alone would reveal which addresses have an account.
        return { action: 'login' as const, ...(await signIn(request, reply, { email, password }, [questions])) }
      }
      await refuseAddress(db, settings, email)
      await countOrRefuse(db, questions)
      if (name === undefined) {
        await refuseNewcomer(request.body)
        throw signupRequired()
      }
      return { action: 'signup' as const, ...(await signUp(request, reply, { email, password, name, invitation })) }
    },
  )

  app.post(
    '/auth/two-factor',
    head({
      ...{ operationId: 'submitTwoFactorCode', summary: 'Finish a sign-in with a code', tag },
      audit: { action: 'two-factor' },
      body: CodeInput,
      answers: { 200: UserAnswer },
      refusals: [signInExpired(), wrongCode(), invalidCredentials(), accountDisabled(), approvalPending()],
      isThrottled: true,
    }),
    async (request, reply) => {
      const token = guard.getCookie(request, 'twoFactor') ?? ''
      const begun = await findToken(db, ['two_factor'], token)
      const account = begun && (await getAccount(db, begun.accountId))
      if (account === undefined) throw signInExpired()
      const isRight = await accounts.tryCode(account.email, clientInfoOf(request), () =>
        spendCode(db, secret, account.id, request.body.code),
      )
      if (!isRight) throw wrongCode()
      if ((await takeToken(db, ['two_factor'], token)) === undefined) throw signInExpired()
      guard.clearCookie(reply, 'twoFactor')
      await guard.startSession(request, reply, account)
      return { user: userOf(account) }
    },
  )

  app.post(
    '/auth/logout',
    head({
      ...{ operationId: 'logoutUser', summary: 'Sign out', tag },
      audit: { action: 'logout' },
      answers: { 204: z.null().describe('Signed out') },
    }),
    async (request, reply) => {
      const { session } = request
      if (session) {
        await db.transaction(async (tx) => {
          await deleteSession(tx, session.id)
          await recordAccountEvent(tx, 'logout', session.account, originOf(request))
        })
      }
      guard.deleteSession(reply)
      return reply.code(204).send(null)
    },
  )

  const ofMe = head({
    ...{ operationId: 'getCurrentUser', summary: 'Get the caller', tag },
    description: 'With the header `Prefer: handling=lenient`, a visitor gets `null` instead of a 401.',
    answers: { 200: MeAnswer },
    refusals: [notSignedIn()],
  })
  app.get('/auth/me', ofMe, async (request) => {
    if (!request.session && request.headers.prefer === 'handling=lenient') return { user: null }
    const { account, publicId, signIn } = sessionOf(request)
    const role = account.role === 'manager' ? { role: account.role } : {}
    return { user: userOf(account), account: publicId, signIn, ...role }
  })
}
