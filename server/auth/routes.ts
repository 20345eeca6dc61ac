import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  CheckUserAnswer,
  CheckUserInput,
  LoginInput,
  MeAnswer,
  RegisterInput,
  SmartAuthAnswer,
  SmartAuthInput,
  UserAnswer,
} from '#contract/auth.ts'
import { Failure } from '#contract/errors.ts'
import { addressRefused, signupRequired } from '#server/errors.ts'
import type { App, Services } from '#server/services.ts'
import type { Entry } from './accounts.ts'
import { mayJoin } from './join-rule.ts'
import { callerOf, endSession } from './session.ts'
import { countCheck } from './throttle.ts'

const visitorOf = (request: FastifyRequest) => ({
  ip: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
})

export function authRoutes(app: App, { db, settings, accounts, guard }: Services) {
  /** Every way in ends here: the session of before ends, the new one's cookies go out. */
  async function enter(request: FastifyRequest, reply: FastifyReply, entry: Entry) {
    if (request.session) await endSession(db, request.session.id)
    reply.header('set-cookie', entry.cookies)
    guard.startSession(reply, entry.token)
    return { name: entry.user.name, email: entry.user.email }
  }

  app.post(
    '/auth/check-user',
    { schema: { body: CheckUserInput, response: { 200: CheckUserAnswer, '4xx': Failure } } },
    async (request) => {
      const { email } = request.body
      const exists = await accounts.exists(email)
      if (!exists && !mayJoin(email, settings.teamDomain)) throw addressRefused(settings.teamDomain)
      await countCheck(db, settings.throttle, request.ip)
      return { exists, action: exists ? ('login' as const) : ('signup' as const) }
    },
  )

  app.post(
    '/auth/register',
    { schema: { body: RegisterInput, response: { 201: UserAnswer, '4xx': Failure } } },
    async (request, reply) => {
      const entry = await accounts.signUp(request.body, visitorOf(request))
      return reply.code(201).send({ user: await enter(request, reply, entry) })
    },
  )

  app.post(
    '/auth/login',
    { schema: { body: LoginInput, response: { 200: UserAnswer, '4xx': Failure } } },
    async (request, reply) => {
      const entry = await accounts.signIn(request.body, visitorOf(request))
      return { user: await enter(request, reply, entry) }
    },
  )

  app.post(
    '/auth/smart-auth',
    { schema: { body: SmartAuthInput, response: { 200: SmartAuthAnswer, '4xx': Failure } } },
    async (request, reply) => {
      const { email, password, name } = request.body
      if (await accounts.exists(email)) {
        const entry = await accounts.signIn({ email, password }, visitorOf(request))
        return { action: 'login' as const, user: await enter(request, reply, entry) }
      }
      if (name === undefined) {
        if (!mayJoin(email, settings.teamDomain)) throw addressRefused(settings.teamDomain)
        throw signupRequired()
      }
      const entry = await accounts.signUp({ email, password, name }, visitorOf(request))
      return { action: 'signup' as const, user: await enter(request, reply, entry) }
    },
  )

  app.post(
    '/auth/logout',
    { schema: { response: { 204: z.null().describe('Signed out'), '4xx': Failure } } },
    async (request, reply) => {
      if (request.session) await endSession(db, request.session.id)
      guard.endSession(reply)
      return reply.code(204).send(null)
    },
  )

  app.get('/auth/me', { schema: { response: { 200: MeAnswer, '4xx': Failure } } }, async (request) => {
    if (!request.session && request.headers.prefer === 'handling=lenient') return { user: null }
    const { name, email } = callerOf(request)
    return { user: { name, email } }
  })
}
