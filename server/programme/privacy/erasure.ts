import { sql } from 'drizzle-orm'
import { actionsThat } from '#contract/audit-actions.ts'
import type { EraseInput, PastExport } from '#contract/privacy.ts'
import { withActor } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accessTokens, accounts, channels, type Facts, webhooks } from '#server/db/schema.ts'
import { isoTime, shownName } from '#server/db/sql.ts'
import { listNamedTo } from '#server/digest/store.ts'
import { notFound } from '#server/http/errors.ts'
import { claimId, type IdempotencyKey } from '#server/http/idempotency.ts'
import { type Ledger, recordErasure } from '#server/ledger/ledger.ts'
import { recordData } from '#server/record-features.ts'
import { columnOf } from '#server/records/record-data.ts'
import { type Chosen, readChosen } from './chosen.ts'
import { eraseChosen } from './erase-chosen.ts'
import { parseRef } from './refs.ts'
import { rememberAddresses } from './remember-addresses.ts'
import { isRow, timeOf } from './tables.ts'

type Outcome = { erasureId: string; since: string | null; mails: NamedTo[] }
/** An account to which mails named what was erased, with the last time. */
type NamedTo = { account: string; at: string }

/** Erases what was chosen, in one transaction. Its entry in the audit log has no values. */
export const erasePerson = (
  { db, ledger }: { db: Database; ledger: Ledger },
  caller: Caller,
  key: IdempotencyKey,
  { refs, reason, doNotKeep: typed }: EraseInput,
): Promise<Outcome> =>
  withActor(db, caller, async (tx) => {
    const erasureId = await claimId(tx, key)
    const chosen = await readChosen(tx, refs)
    const doNotKeep = await rememberAddresses(tx, erasureId, chosen.trees, typed)
    const since = await firstTime(tx, chosen)
    const mails = await listNamedTo(tx, chosen.trees)
    await eraseChosen(tx, caller, { erasureId, ...chosen })
    const counts = { records: chosen.trees.length, values: chosen.values.length + chosen.jobs.length }
    await recordAuditEntry(tx, {
      ...{ action: 'erase', by: caller, kind: 'erasure', objectId: erasureId },
      detail: { reason, ...counts, since, mails },
    })
    await recordErasure(tx, ledger, {
      erasureId,
      records: chosen.trees,
      refs: refs.filter((ref) => parseRef(ref).kind !== 'record'),
      ...(doNotKeep && { doNotKeep }),
    })
    return { erasureId, since, mails }
  })

/** The outcome of an earlier erasure. */
export async function getErasure(db: Database, erasureId: string): Promise<Outcome> {
  const [row] = await rowsOf<Omit<Outcome, 'erasureId'>>(
    db,
    sql`select detail ->> 'since' as since, coalesce(detail -> 'mails', '[]') as mails from audit_log where object_id = ${erasureId} and kind = 'erasure'`,
  )
  if (row === undefined) throw notFound('There is no erasure with this id')
  return { erasureId, ...row }
}

/** When the first of what was chosen came. A row without a time has that of what belongs to it, as a file to its rows. */
async function firstTime(db: Database, { trees, values }: Chosen): Promise<string | null> {
  const times = [sql`select min(created_at) as at from records where id = any (${sql.param(trees)}::uuid[])`]
  for (const { entry, key } of values) {
    const time = timeOf(entry)
    if (time !== undefined) times.push(sql`select ${time} from ${entry.table} where ${isRow(entry, key)}`)
    for (const other of time === undefined ? recordData : []) {
      const [column, through, otherTime] = [other.record?.[0], other.through, timeOf(other)]
      if (column === undefined || otherTime === undefined || through?.to.table !== entry.table) continue
      times.push(sql`select min(${otherTime}) from ${other.table}
        where ${columnOf(other, column)} in (select ${through.to} from ${entry.table} where ${isRow(entry, key)})`)
    }
  }
  const [row] = await rowsOf<{ at: string | null }>(
    db,
    sql`select to_json(min(at)) #>> '{}' as at from (${sql.join(times, sql` union all `)}) came`,
  )
  return row?.at ?? null
}

const EXPORTS_MAX = 500

const EXPORTS = actionsThat(({ isExport }) => isExport)
const ENDS = actionsThat(({ endsWayOut }) => endsWayOut)

/** The copies elsewhere, newest first: files, channels and access tokens since then, and mails that named what was erased. */
export async function listCopies(db: Database, { since, mails }: Omit<Outcome, 'erasureId'>): Promise<PastExport[]> {
  const people = await rowsOf<{ id: string; by: string }>(
    db,
    sql`select id, coalesce(nullif(email, ''), name) as by from accounts
      where id = any (${sql.param(mails.map(({ account }) => account))}::uuid[])`,
  )
  const addressOf = new Map(people.map(({ id, by }) => [id, by]))
  const mailed = mails.map(({ account, at }) => ({
    ...{ at, by: addressOf.get(account) ?? '', what: 'daily-mail', filter: {} },
  }))
  const ways = [...(await listWaysOutSince(db, since)), ...(await listTokensSince(db, since))]
  return [...(await listExports(db, since)), ...mailed, ...ways].sort((one, other) => other.at.localeCompare(one.at))
}

/** The channels and webhooks that were used since then, and those that were removed, with the time of the last use. */
async function listWaysOutSince(db: Database, since: string | null): Promise<PastExport[]> {
  if (since === null) return []
  const rows = await rowsOf<{ at: string; by: string | null; what: string; name: string }>(
    db,
    sql`
      select ${isoTime(channels.lastSentAt)} as at, 'channel' as what, ${channels.name}, ${shownName()} as by from ${channels}
      join ${accounts} on ${accounts.id} = ${channels.confirmedBy} where ${channels.lastSentAt} >= ${since}::timestamptz
      union all
      select ${isoTime(webhooks.lastSentAt)}, 'webhook', ${webhooks.maskedAddress}, ${shownName()} from ${webhooks}
      join ${accounts} on ${accounts.id} = ${webhooks.confirmedBy} where ${webhooks.lastSentAt} >= ${since}::timestamptz
      union all
      select before ->> 'lastSentAt', kind, coalesce(before ->> 'name', ''), account_email from audit_log
      where action = any (${sql.param(ENDS)}::text[]) and at >= ${since}::timestamptz and (before ->> 'lastSentAt')::timestamptz >= ${since}::timestamptz`,
  )
  return rows.map(({ at, by, what, name }) => ({ at, by: by ?? '', what, filter: { name } }))
}

/** The access tokens that were used since then, ended ones too. */
async function listTokensSince(db: Database, since: string | null): Promise<PastExport[]> {
  if (since === null) return []
  const rows = await rowsOf<{ at: string; by: string; name: string }>(
    db,
    sql`select ${isoTime(accessTokens.lastUsedAt)} as at, ${accessTokens.name}, ${shownName()} as by from ${accessTokens}
      join ${accounts} on ${accounts.id} = ${accessTokens.accountId}
      where ${accessTokens.lastUsedAt} >= date_trunc('minute', ${since}::timestamptz)
      order by ${accessTokens.lastUsedAt} desc limit ${EXPORTS_MAX}`,
  )
  return rows.map(({ at, by, name }) => ({ at, by, what: 'token', filter: { name } }))
}

/** The files since then, newest first, from the audit log. An erased entry has its account, but no address and no filter. */
export async function listExports(db: Database, since: string | null): Promise<PastExport[]> {
  if (since === null) return []
  const rows = await rowsOf<{ at: string; by: string | null; what: string; filter: Facts | null }>(
    db,
    sql`select ${isoTime(sql`at`)} as at,
        coalesce(account_email, nullif(accounts.email, ''), accounts.name) as by, concat_ws(' ', action, kind) as what, detail as filter
      from audit_log left join accounts on accounts.id = account_id
      where action = any (${sql.param(EXPORTS)}::text[]) and result = 'done' and at >= ${since}::timestamptz
      order by at desc, audit_log.id desc limit ${EXPORTS_MAX}`,
  )
  return rows.map(({ by, filter, ...row }) => ({ ...row, by: by ?? '', filter: filter ?? {} }))
}
