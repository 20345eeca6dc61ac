import { z } from 'zod'
import { LeaveInput, Leaver, LeavingQuery, Person } from '#contract/programme.ts'
import { cannotLeave, leave } from '#server/auth/account-admin.ts'
import { refuseUnconfirmed } from '#server/auth/sessions/confirmation.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import type { App } from '#server/http/app.ts'
import { confirmFirst, lastManager, notFound } from '#server/http/errors.ts'
import { ANY_NUMBER, head } from '#server/http/head.ts'
import { handOver } from '#server/pipeline/hand-over.ts'
import type { Services } from '#server/services.ts'
import { countForLeaving, getPeople, getSuccessor } from './leaving-store.ts'
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
      rows: ANY_NUMBER,
      answers: { 200: z.array(Leaver) },
      refusals: [notFound(NO_PERSON)],
    }),
    async (request) => countForLeaving(db, request.query.ids),
  )

  app.post(
    PATH,
    head({
      ...{ operationId: 'leavePeople', summary: 'Make people leave: all of them, or none', tag },
      audit: { action: 'account-leave', kind: 'account', isWritten: true },
      body: LeaveInput,
      rows: ANY_NUMBER,
      answers: { 200: z.array(Person.pick({ id: true })) },
      refusals: [notFound(NO_PERSON), confirmFirst(), lastManager(), cannotLeave()],
    }),
    async (request) => {
      const { ids, responsible = null } = request.body
      const caller = callerOf(request)
      const people = await getPeople(db, ids)
      refuseUnconfirmed(request)
      const successor = responsible === null ? null : await getSuccessor(db, responsible, ids)
      const handOverAll = (tx: Database, leaverIds: string[]) => handOver(tx, caller, leaverIds, successor)
      await leave(db, people, caller, handOverAll)
      return ids.map((id) => ({ id }))
    },
  )
}
