import { z } from 'zod'
import { LeaveInput, Leaver, LeavingQuery, Person } from '#contract/programme.ts'
import { leave } from '#server/auth/account-admin.ts'
import { callerOf } from '#server/auth/session.ts'
import { lastManager, notFound } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import type { App, Services } from '#server/services.ts'
import { countForLeaving, getPeople } from './leaving-store.ts'
import { NO_PERSON } from './store.ts'

const tag = 'Programme'
const PATH = '/programme/people/leave'

/** People who leave the programme, one or several at once. */
export function leavingRoutes(app: App, { db }: Services) {
  app.get(
    PATH,
    head({
      ...{ operationId: 'getLeavers', summary: 'Count what people have here, before they leave', tag },
      query: LeavingQuery,
      answers: { 200: z.array(Leaver) },
      refusals: [notFound(NO_PERSON)],
    }),
    async (request) => countForLeaving(db, request.query.ids),
  )

  app.post(
    PATH,
    head({
      ...{ operationId: 'leavePeople', summary: 'Make people leave: all of them, or none', tag, confirms: true },
      audit: { action: 'account-leave', kind: 'account', isWritten: true },
      body: LeaveInput,
      answers: { 200: z.array(Person.pick({ id: true })) },
      refusals: [notFound(NO_PERSON), lastManager()],
    }),
    async (request) => {
      const { ids } = request.body
      await leave(db, await getPeople(db, ids), callerOf(request))
      return ids.map((id) => ({ id }))
    },
  )
}
