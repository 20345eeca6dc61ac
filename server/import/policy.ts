import { editableFields, infoFields, keyOf } from '#contract/fields.ts'
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

/**
 * The values that an import by this person may change, by their keys. Its creator and managers change what was typed
 * when the record was added, and everyone who may edit it changes public data too, as by a correction.
 */
export function changeableFields(
  caller: Account,
  { fields }: Pick<RecordKind, 'fields'>,
  record: RecordRow,
): Set<string> {
  const isCreator = record.ownerId === caller.id || isManager(caller)
  const canEdit = rightsOf(caller, record).edit
  const changeable = [
    ...(isCreator ? editableFields(fields, 'create') : []),
    ...(canEdit ? [...editableFields(fields, 'put'), ...editableFields(infoFields(fields), 'patch')] : []),
  ]
  return new Set(editableFields(changeable, 'import').map(keyOf))
}
