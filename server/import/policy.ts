import { isManager } from '#server/auth/policy.ts'
import type { Account } from '#server/auth/session.ts'
import { forbidden } from '#server/http/errors.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { rightsOf } from '#server/records/policy.ts'
import type { RecordRow } from '#server/records/row.ts'

export const NOT_YOUR_IMPORT = 'Only the fellow who uploaded this file and managers can see this import'
export const NOT_ALL_IMPORTS = "Only managers can see everyone's imports"

/** Its uploader and managers may see an import and its rows, and act on it. */
export function authorizeImport(caller: Account, { accountId }: { accountId: string }): void {
  if (accountId !== caller.id && !isManager(caller)) throw forbidden(NOT_YOUR_IMPORT)
}

/** Managers see everyone's imports. */
export function authorizeAllImports(caller: Account): void {
  if (!isManager(caller)) throw forbidden(NOT_ALL_IMPORTS)
}

/** The fields and enriched values that a person may edit. A company's LinkedIn page comes from public data. */
export function changeableFields(
  caller: Account,
  kind: Pick<RecordKind, 'typed' | 'infoFields'>,
  record: RecordRow,
): Set<string> {
  const isCreator = record.ownerId === caller.id || isManager(caller)
  const always = rightsOf(caller, record).edit ? ['notes', 'rating', ...Object.values(kind.infoFields)] : []
  return new Set<string>(isCreator ? [...kind.typed, ...always] : always)
}
