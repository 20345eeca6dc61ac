import { SignUpAnswer as Answer, type SignUpAnswer, SignUpInput } from '#contract/programme.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import { chooseSignUp, chosenSignUp } from '#server/auth/sign-up/sign-up.ts'
import type { Database } from '#server/db/database.ts'
import type { App } from '#server/http/app.ts'
import { AppError } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import type { Services } from '#server/services.ts'

const tag = 'Programme'

/** Who may sign up, where the environment leaves it open. */
export function signUpRoutes(app: App, { db, settings }: Services) {
  async function current(db: Database): Promise<SignUpAnswer> {
    const { mode, domains } = await chosenSignUp(db)
    const { signUp, joinDomains } = settings
    const fixed = [...(signUp ? ['mode' as const] : []), ...(joinDomains ? ['domains' as const] : [])]
    return { mode: signUp ?? mode, domains: joinDomains ?? domains, fixed }
  }

  app.get(
    '/programme/sign-up',
    head({
      ...{ operationId: 'getSignUp', summary: 'Get who may sign up', tag },
      answers: { 200: Answer },
    }),
    async () => current(db),
  )

  app.put(
    '/programme/sign-up',
    head({
      ...{ operationId: 'updateSignUp', summary: 'Change who may sign up', tag, confirms: true },
      audit: { action: 'sign-up', kind: 'programme' },
      body: SignUpInput,
      answers: { 200: Answer },
      refusals: [isFixed()],
    }),
    async (request) =>
      db.transaction(async (tx) => {
        const { fixed, ...before } = await current(tx)
        const after = request.body
        const isOther = (name: 'mode' | 'domains') => JSON.stringify(before[name]) !== JSON.stringify(after[name])
        if (fixed.some(isOther)) throw isFixed()
        if (!isOther('mode') && !isOther('domains')) return { ...after, fixed }
        await chooseSignUp(tx, after)
        await recordAuditEntry(tx, { action: 'sign-up', by: callerOf(request), kind: 'programme', before, after })
        return { ...after, fixed }
      }),
  )
}

const isFixed = () => new AppError(409, 'The settings of the server determine this. Ask the operator.')
