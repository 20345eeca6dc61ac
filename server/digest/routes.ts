import { DIGEST_HOUR, Digest, DigestInput, DigestQuery } from '#contract/digest.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import type { App } from '#server/http/app.ts'
import { AppError } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import { namesOnPage } from '#server/inbox/kind.ts'
import { hasWaited } from '#server/inbox/store.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { authorize, refusal, rights } from '#server/rights.ts'
import type { Services } from '#server/services.ts'
import { getDigest, setDigest } from './store.ts'

const tag = 'Account'

const notSetUp = () => new AppError(409, 'Mail is not set up here, so none is sent.')
const notProven = () => new AppError(409, 'Confirm your address first: mail goes to confirmed addresses only.')

/** When the caller gets mail of what is unread in the inbox. */
export function digestRoutes(app: App, { db, secret, mailer }: Services, kinds: readonly RecordKind[]) {
  const sources = { db, secret, kinds, names: namesOnPage }

  const mailTo = ({ emailVerified }: Account): Digest['mail'] => {
    if (mailer === undefined) return 'not_set_up'
    return emailVerified ? 'on' : 'not_proven'
  }

  app.get(
    '/account/digest',
    head({
      ...{ operationId: 'getDigest', summary: 'Get when the caller gets mail of what is unread', tag },
      query: DigestQuery,
      answers: { 200: Digest },
    }),
    async (request) => {
      const caller = callerOf(request)
      const { timeZone = 'UTC' } = request.query
      const chosen = await getDigest(db, caller.id)
      const mail = mailTo(caller)
      const isOffered = mail === 'on' && chosen === undefined && (await hasWaited(sources, { caller, timeZone }))
      const shown = chosen ?? { when: 'off' as const, hour: DIGEST_HOUR, timeZone, week: false }
      return { ...shown, week: shown.week === true && rights.programme.allows(caller), mail, isOffered }
    },
  )

  app.put(
    '/account/digest',
    head({
      ...{ operationId: 'updateDigest', summary: 'Choose when the caller gets mail of what is unread', tag },
      audit: { action: 'account-digest', kind: 'account' },
      body: DigestInput,
      answers: { 200: Digest },
      refusals: [notSetUp(), notProven(), refusal(rights.programme)],
    }),
    async (request) => {
      const caller = callerOf(request)
      const mail = mailTo(caller)
      const { when, week } = request.body
      if (week) authorize(caller, rights.programme)
      const isOn = when !== 'off' || week
      if (isOn && mail === 'not_set_up') throw notSetUp()
      if (isOn && mail === 'not_proven') throw notProven()
      await db.transaction((tx) => setDigest(tx, caller.id, request.body, new Date()))
      const chosen = (await getDigest(db, caller.id)) as DigestInput
      return { ...chosen, week: chosen.week === true && rights.programme.allows(caller), mail, isOffered: false }
    },
  )
}
