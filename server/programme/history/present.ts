import type { PastAct } from '#contract/programme-history.ts'
import type { AuditRow } from '#server/audit-log/search.ts'

/** The columns of the file. Network addresses are for the operator. */
export const COLUMNS = [
  ...(['at', 'accountEmail', 'action', 'kind', 'objectId', 'result', 'before', 'after', 'detail'] as const),
] satisfies (keyof AuditRow)[]

export const presentAct = (row: AuditRow, names: Map<string, string>): PastAct => ({
  ...{ id: row.id, at: row.at, by: row.accountEmail, action: row.action, kind: row.kind, objectId: row.objectId },
  ...{ name: names.get(row.objectId ?? '') ?? null, isRefused: row.result === 'refused' },
  ...{ before: row.before, after: row.after, detail: row.detail },
})
