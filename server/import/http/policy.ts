import type { ImportKind } from '#contract/import-kinds.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { forbidden } from '#server/http/errors.ts'
import type { ImportRecord } from '#server/import/store/store.ts'
import { may, refusal, rights } from '#server/rights.ts'

export const NOT_YOUR_IMPORT = 'Only the fellow who uploaded this file and managers can see this import'

/** Its uploader and managers may see an import and its rows, and act on it. */
export function authorizeImport(caller: Account, { accountId }: { accountId: string }): void {
  if (!may(caller, rights.allImports, accountId)) throw forbidden(NOT_YOUR_IMPORT)
}

/** Some rows need a right, now and when the file was uploaded. */
export function authorizeTarget(
  caller: Account,
  { uploader }: Pick<ImportRecord, 'uploader'>,
  { right }: ImportKind,
): void {
  if (right && ![caller, uploader].every(rights[right].allows)) throw refusal(rights[right])
}
