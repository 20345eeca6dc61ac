import type { ImportKind } from '#contract/import-kinds.ts'
import { isManager } from '#server/auth/policy.ts'
import type { Account } from '#server/auth/session.ts'
import { forbidden } from '#server/http/errors.ts'

export const NOT_YOUR_IMPORT = 'Only the fellow who uploaded this file and managers can see this import'
export const NOT_ALL_IMPORTS = "Only managers can see everyone's imports"

export const MANAGERS_ONLY = 'Only managers can import notes'

/** Its uploader and managers may see an import and its rows, and act on it. */
export function authorizeImport(caller: Account, { accountId }: { accountId: string }): void {
  if (accountId !== caller.id && !isManager(caller)) throw forbidden(NOT_YOUR_IMPORT)
}

/** Managers see everyone's imports. */
export function authorizeAllImports(caller: Account): void {
  if (!isManager(caller)) throw forbidden(NOT_ALL_IMPORTS)
}

/** Only managers import notes, also those of a file that they have uploaded as a manager before. */
export function authorizeTarget(caller: Account, uploader: Account['role'], { isForManagers }: ImportKind): void {
  if (isForManagers && !(isManager(caller) && uploader === 'manager')) throw forbidden(MANAGERS_ONLY)
}
