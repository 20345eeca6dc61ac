import { callerOf } from '#server/auth/sessions/session.ts'
import { countReads } from '#server/auth/tokens/reads.ts'
import type { App } from '#server/http/app.ts'
import type { Services } from '#server/services.ts'
import { countRecords, withoutAddresses } from './answers.ts'

/** What every call of this scope sends a token, failures too. Without the scope `export`, the records in it count. */
export function presentToTokens(app: App, { db }: Services): void {
  app.addHook('preSerialization', async (request, _reply, answer) => {
    if (request.session?.account.token === undefined || answer === null) return answer
    const { id, token } = callerOf(request)
    const count = token?.scopes.includes('export') ? 0 : countRecords(answer)
    if (count > 0) await countReads(db, id, count)
    return withoutAddresses(db, answer)
  })
}
