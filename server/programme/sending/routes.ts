import { z } from 'zod'
import { Sending, SendingInput, SentMail, SentMailsQuery } from '#contract/sending.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { refuseUnconfirmed } from '#server/auth/sessions/confirmation.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { byChoice, listDigests } from '#server/digest/store.ts'
import type { App } from '#server/http/app.ts'
import { AppError, confirmFirst } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import { getSending, pauseSending, resumeSending, showNames } from '#server/sending/store.ts'
import type { Services } from '#server/services.ts'

const tag = 'Programme'

const isFixed = () => new AppError(409, 'The settings of the server pause sending. Ask the operator.')

/** Whether anything leaves the house by itself, what it is, and to whom it goes. */
export function sendingRoutes(app: App, { db, settings }: Services) {
  const isKeyStored = settings.authSecret === undefined
  const sendingNow = async (on: Database) => ({ ...(await getSending(on, settings)), isKeyStored })

  app.get(
    '/programme/sending',
    head({
      ...{ operationId: 'getSending', summary: 'Get whether anything is sent, and whether it has names', tag },
      answers: { 200: Sending },
    }),
    async () => sendingNow(db),
  )

  app.put(
    '/programme/sending',
    head({
      ...{ operationId: 'updateSending', summary: 'Pause sending or go on, and show names or leave them out', tag },
      description: 'Showing names, where they are left out, asks for a proof of identity.',
      audit: { action: 'sending', kind: 'programme' },
      body: SendingInput,
      answers: { 200: Sending },
      refusals: [confirmFirst(), isFixed()],
    }),
    async (request) =>
      db.transaction(async (tx) => {
        const caller = callerOf(request)
        const { isPaused, showsNames } = request.body
        const before = await getSending(tx, settings)
        if (showsNames && !before.showsNames) refuseUnconfirmed(request)
        if (before.isFixed && !isPaused) throw isFixed()
        if (isPaused === before.isPaused && showsNames === before.showsNames) return sendingNow(tx)
        if (isPaused !== before.isPaused) await (isPaused ? pauseSending(tx, 'chosen') : resumeSending(tx))
        if (showsNames !== before.showsNames) await showNames(tx, showsNames ? caller.id : undefined)
        const was = { isPaused: before.isPaused, showsNames: before.showsNames }
        await recordAuditEntry(tx, {
          ...{ action: 'sending', by: caller, kind: 'programme', before: was, after: { isPaused, showsNames } },
        })
        return sendingNow(tx)
      }),
  )

  app.get(
    '/programme/sending/mails',
    head({
      ...{ operationId: 'listSentMails', summary: 'List the mails that are sent by themselves, and to whom', tag },
      query: SentMailsQuery,
      answers: { 200: z.array(SentMail) },
      isPaged: true,
    }),
    async (request, reply) => {
      const rows = await listDigests(db, pageRequest(byChoice, request))
      return sendPage(byChoice, request, reply, { rows }).map(({ publicId, ...mail }) => ({
        ...{ id: publicId, name: mail.name, email: mail.email },
        ...{ when: mail.when, hour: mail.hour, timeZone: mail.timeZone, week: mail.week },
      }))
    },
  )
}
