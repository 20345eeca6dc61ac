import { entryOf } from '#contract/audit-actions.ts'
import { counted, named, type Wording } from '#contract/audit-entry.ts'
import { pipelineFields } from '#contract/pipeline-fields.ts'
import type { PastAct } from '#contract/programme-history.ts'
import type { AuditRow } from '#server/audit-log/search.ts'
import type { Facts } from '#server/db/schema.ts'
import type { Names } from './store.ts'

/** The columns of the file. Network addresses are for the operator. */
export const COLUMNS = [
  ...(['at', 'accountEmail', 'action', 'kind', 'objectId', 'result', 'before', 'after', 'detail'] as const),
] satisfies (keyof AuditRow)[]

export function presentAct(row: AuditRow, names: Names): PastAct {
  const object = names.get(row.objectId ?? '')
  return {
    ...{ id: row.id, at: row.at, by: row.accountEmail, action: row.action, sentence: sentenceOf(row, names) },
    ...{ kind: row.kind, objectId: row.objectId },
    // Merged and deleted ones have no page.
    name: object?.kind?.includes('-') === false ? object.name : null,
    isRefused: row.result === 'refused',
    ...{ before: row.before, after: row.after, detail: row.detail },
  }
}

/** Who did what, or what was refused to whom. */
function sentenceOf(row: AuditRow, names: Names): string {
  const { detail, before, after } = row
  const who = actorOf(row, names)
  const entry = entryOf(row.action)
  if (row.result === 'refused') {
    if (detail?.more !== undefined) return `${who} was refused ${counted(detail.more, 'more request')}`
    const about = names.has(row.objectId ?? '')
      ? ` (${subjectOf(row, names)}${row.kind === 'account' ? ' account' : ''})`
      : ''
    return `${who} was refused: ${entry?.noun ?? row.action}${about}`
  }
  const subject = subjectOf(row, names)
  const words: Wording = {
    ...{ of: () => subject, at: (preposition) => ` ${preposition} ${subject}`, other: () => otherOf(row, names) },
    ...{ isEmpty: before === null && after === null, isDuplicate: detail?.duplicateId === row.objectId },
    pipeline: pipelineOf(after ?? {}, before ?? {}, names),
    ...{ kind: row.kind, before: before ?? {}, after: after ?? {}, detail: detail ?? {} },
  }
  return `${who} ${entry?.sentence(words) ?? `did “${row.action}”`}`
}

/** The values that have changed. The log has none for an active record. */
const pipelineOf = (after: Facts, before: Facts, names: Names) =>
  Object.fromEntries(
    pipelineFields
      .filter(({ column }) => column in { ...before, ...after })
      .map(({ name, column }) => {
        const value = after[column] ?? (column === 'status' ? 'active' : null)
        return [name, value === null ? null : (names.get(String(value))?.name ?? String(value).replaceAll('_', ' '))]
      }),
  )

/** With the access token by which it was done, if any. */
function actorOf(row: AuditRow, names: Names): string {
  const token = names.get(row.tokenId ?? '')?.name
  return token === undefined ? personOf(row, names) : `${personOf(row, names)}, by the token "${token}",`
}

function personOf({ accountId, accountEmail, result, detail }: AuditRow, names: Names): string {
  const name = names.get(accountId ?? '')?.name ?? accountEmail
  if (accountId !== null) return name ?? 'A former fellow'
  if (typeof detail?.databaseUser === 'string') return `The database user “${detail.databaseUser}”`
  if (detail?.by === 'operator') return 'The operator'
  if (result === 'refused') return name === null ? 'A visitor' : `A visitor as ${name}`
  return name ?? 'Sourcebook'
}

/** `the founder Ada`, `the tag “AI”`; of an account what is before its parts: `Bob’s`, `their own`. */
function subjectOf({ kind, objectId, accountId, before, after, detail }: AuditRow, names: Names): string {
  if (kind === 'account') {
    if (objectId !== null && objectId === accountId) return 'their own'
    return `${names.get(objectId ?? '')?.name ?? detail?.email ?? 'a former fellow'}’s`
  }
  const record = recordOf(objectId, names)
  if (record !== undefined) return record
  return named(kind === null || kind === 'overrule' ? 'record' : kind, after?.name ?? before?.name ?? detail?.name)
}

const recordOf = (id: unknown, names: Names): string | undefined => {
  const record = names.get(String(id))
  return record?.kind ? `the ${record.kind.replace(/^.*-/, '')} ${record.name}` : undefined
}

/** The other record of a link, a merge or a dismissal. */
function otherOf({ objectId, detail }: AuditRow, names: Names): string {
  const ids = [detail?.linkedId, detail?.other, detail?.duplicateId, detail?.survivorId]
  const other = ids.find((id) => typeof id === 'string' && id !== objectId)
  return recordOf(other, names) ?? 'a deleted record'
}
