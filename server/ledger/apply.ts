import { sql } from 'drizzle-orm'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { insertHashes } from './keyed-hashes.ts'
import type { LedgerLine } from './lines.ts'
import { insertLines } from './store.ts'

type Erasure = Extract<LedgerLine, { kind: 'erased' }>
export type ErasedFellow = Extract<LedgerLine, { kind: 'fellow' }>

/** Erase what a line lists, in the caller's transaction. What is not here is skipped. */
export type Erase = {
  listed: (tx: Database, listed: Pick<Erasure, 'id' | 'records' | 'refs'>) => Promise<void>
  fellow: (tx: Database, line: ErasedFellow) => Promise<void>
}

/** What the lines of a ledger have changed. */
export type Applied = { erased: number; accounts: number; passwords: number }

/**
 * Brings the database to what the ledger says, in one transaction: applies each line that it does not have. An older
 * backup lacks what happened since, and a crash may leave the line of an erasure that was not committed.
 */
export async function applyLedger(tx: Database, lines: LedgerLine[], erase: Erase): Promise<Applied> {
  const added = await insertLines(tx, lines)
  for (const line of added) {
    if (line.kind === 'erased') await completeErasure(tx, line, erase)
    if (line.kind === 'fellow') await erase.fellow(tx, line)
  }
  await stopDigests(tx, accountsIn(added, 'digest'))
  await deleteWaysOut(tx, added)
  await endTokens(tx, added)
  return {
    erased: added.flatMap((line) => (line.kind === 'erased' ? line.records : [])).length,
    accounts: await setStates(tx, accountsIn(added, 'account')),
    passwords: await deletePasswords(tx, accountsIn(added, 'password')),
  }
}

/** With its entry in the audit log, which the interrupted transaction would have written. */
async function completeErasure(tx: Database, line: Erasure, erase: Erase) {
  if (line.doNotKeep) await insertHashes(tx, line.id, line.doNotKeep)
  await erase.listed(tx, line)
  await recordAuditEntry(tx, { action: 'erase', kind: 'erasure', objectId: line.id, detail: { by: 'ledger' } })
}

const accountsIn = (lines: LedgerLine[], kind: 'account' | 'password' | 'digest'): string[] => [
  ...new Set(lines.flatMap((line) => (line.kind === kind ? [line.account] : []))),
]

/** The latest line of an account's access counts, and that of its role. Returns the number of changed accounts. */
async function setStates(tx: Database, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0
  const latest = (states: string) => sql`(
    select facts ->> 'state' from ledger
    where kind = 'account' and facts ->> 'account' = accounts.id::text and facts ->> 'state' = any (${states}::text[])
    order by at desc, id desc limit 1)`
  const changed = await rowsOf<{ id: string; access: string | null; role: string | null }>(
    tx,
    sql`with wanted as materialized (
        select id, ${latest('{enabled,disabled,left}')} as access, ${latest('{manager,demoted}')} as role
        from accounts where id = any (${idsIn(ids)})
      )
      update accounts set
        disabled_at = case when access is null then disabled_at when access <> 'enabled' then coalesce(disabled_at, now()) end,
        left_at = case when access is null then left_at when access = 'left' then coalesce(left_at, now()) end,
        devices_ended_at = case when access = 'left' then now() else devices_ended_at end,
        role = case wanted.role when 'manager' then 'manager' when 'demoted' then 'fellow' else accounts.role end,
        updated_at = now()
      from wanted where wanted.id = accounts.id
      returning accounts.id, access, wanted.role`,
  )
  const isOut = ({ access }: { access: string | null }) => access !== null && access !== 'enabled'
  await deleteAccessOf(
    tx,
    changed.filter(isOut).map(({ id }) => id),
  )
  const noManagers = changed.filter((account) => isOut(account) || account.role === 'demoted').map(({ id }) => id)
  await tx.execute(sql`delete from invitations where created_by = any (${idsIn(noManagers)})`)
  return changed.length
}

/** The owner sets another password by a link. Returns the number of passwords deleted. */
async function deletePasswords(tx: Database, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0
  const deleted = await rowsOf(
    tx,
    sql`delete from credentials where account_id = any (${idsIn(ids)}) and provider = 'credential' returning id`,
  )
  await deleteAccessOf(tx, ids)
  return deleted.length
}

/** Mail that was stopped stays so. What was chosen since is chosen again. */
async function stopDigests(tx: Database, ids: string[]) {
  if (ids.length === 0) return
  await tx.execute(sql`
    update digests set rhythm = 'off', next_at = null
    where account_id = any (${idsIn(ids)}) and rhythm <> 'off' and 'off' = (
      select facts ->> 'state' from ledger
      where kind = 'digest' and facts ->> 'account' = digests.account_id::text order by at desc, id desc limit 1)`)
}

/** A channel or a webhook that was removed stays so. */
async function deleteWaysOut(tx: Database, lines: LedgerLine[]) {
  const channels = lines.flatMap((line) => (line.kind === 'channel' ? [line.channel] : []))
  const webhooks = lines.flatMap((line) => (line.kind === 'webhook' ? [line.webhook] : []))
  if (channels.length > 0) await tx.execute(sql`delete from channels where id = any (${idsIn(channels)})`)
  if (webhooks.length > 0) await tx.execute(sql`delete from webhooks where id = any (${idsIn(webhooks)})`)
}

/** A token that has ended stays so. */
async function endTokens(tx: Database, lines: LedgerLine[]) {
  const ids = lines.flatMap((line) => (line.kind === 'token' ? [line.token] : []))
  if (ids.length === 0) return
  await tx.execute(
    sql`update access_tokens set ended_at = now(), hash = null where id = any (${idsIn(ids)}) and ended_at is null`,
  )
}

async function deleteAccessOf(tx: Database, ids: string[]) {
  for (const table of [sql`sessions`, sql`one_time_tokens`]) {
    await tx.execute(sql`delete from ${table} where account_id = any (${idsIn(ids)})`)
  }
}

const idsIn = (ids: string[]) => sql`${`{${ids.join()}}`}::uuid[]`
