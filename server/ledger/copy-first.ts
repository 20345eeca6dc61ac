import type { App } from '#server/http/app.ts'
import type { Ledger } from './ledger.ts'

/**
 * Copies the ledger into its files before the answer to a call that changes accounts, so that a confirmed change is in
 * them. The audit action of such a call has the kind `account`.
 */
export function copyLedgerFirst(app: App, ledger: Ledger): void {
  app.addHook('onSend', async ({ routeOptions }, reply) => {
    if (routeOptions.config.audit?.kind === 'account' && reply.statusCode < 400) await ledger.copy()
  })
}
