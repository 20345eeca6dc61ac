import { TokenSettings } from '#contract/tokens.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import { getTokenChoice, lockTokenChoice, setTokenChoice } from '#server/auth/tokens/store.ts'
import type { App } from '#server/http/app.ts'
import { head } from '#server/http/head.ts'
import type { Services } from '#server/services.ts'

const tag = 'Programme'

/** Whether fellows may have access tokens, and whether assistants may come in. */
export function tokenSettingRoutes(managed: App, { db, settings }: Services) {
  managed.get(
    '/programme/tokens',
    head({
      ...{ operationId: 'getTokenSettings', summary: 'Get who may have access tokens', tag },
      answers: { 200: TokenSettings },
    }),
    async () => getTokenChoice(db, settings),
  )

  managed.put(
    '/programme/tokens',
    head({
      ...{ operationId: 'updateTokenSettings', summary: 'Choose who may have access tokens', tag },
      description: 'Tokens that are allowed no more end within a second.',
      // Its lines of the ledger are in the files before the response.
      audit: { action: 'token-settings', kind: 'account', isWritten: true },
      body: TokenSettings,
      answers: { 200: TokenSettings },
    }),
    async (request) =>
      db.transaction(async (tx) => {
        await lockTokenChoice(tx)
        const before = await getTokenChoice(tx, settings)
        const { allowed, assistant } = request.body
        if (allowed === before.allowed && assistant === before.assistant) return before
        const after = { allowed, assistant }
        await setTokenChoice(tx, after)
        await recordAuditEntry(tx, {
          ...{ action: 'token-settings', by: callerOf(request), kind: 'programme', before, after },
        })
        return after
      }),
  )
}
