import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { type Actor, withActor } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { refuseLastManager } from '#server/auth/account-admin.ts'
import { deleteTokens } from '#server/auth/links/one-time-tokens.ts'
import { deleteSessions } from '#server/auth/sessions/session.ts'
import { deleteInvitationsOf } from '#server/auth/sign-up/invitations.ts'
import { type KnownAccount, lockAccount } from '#server/auth/store.ts'
import { deleteTwoFactor } from '#server/auth/two-factor/store.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import {
  accessTokens,
  accounts,
  credentials,
  digestMails,
  digestRecords,
  digests,
  follows,
  idempotencyKeys,
  inboxSeen,
  invitations,
  recoveryCodes,
  tokenReads,
} from '#server/db/schema.ts'
import { AppError } from '#server/http/errors.ts'
import type { ErasedFellow } from '#server/ledger/apply.ts'
import { hashUnderKey } from '#server/ledger/keyed-hashes.ts'
import { type Ledger, recordBeforeCommit } from '#server/ledger/ledger.ts'
import type { KeyedHashes } from '#server/ledger/lines.ts'
import { writeAlias } from '#server/notes/mentions.ts'
import { deleteSearchesOf } from '#server/searches/store.ts'
import { emptyAuditEntries } from '../privacy/erase.ts'
import { emptyActor } from '../privacy/jobs.ts'
import { giveTexts } from './erased-texts.ts'

// An erased account keeps its row, so that what the person has added stays theirs, as `Former fellow 7`. Its address, its
// name and every way to sign in go.

export const NOT_YOURSELF = 'You cannot erase your own account. Ask another manager.'
export const notYourself = () => new AppError(409, NOT_YOURSELF)

type Erased = { number: number; plain: KeyedHashes }

/** Erases an account, with its line in the ledger. Throws the 409 for oneself and for the last manager. */
export async function eraseFellow(db: Database, account: KnownAccount, by: Actor, ledger: Ledger): Promise<void> {
  if (by.id === account.id) throw notYourself()
  await withActor(db, by, async (tx) => {
    await refuseLastManager(tx, [account.id])
    const known = await lockAccount(tx, account.id, 'change')
    if (known === undefined || known.email === '') return
    const number = await nextNumber(tx)
    const plain = await hashUnderKey(tx, [await plainAddress(tx, known.email)])
    await eraseAccount(tx, known, { number, plain })
    await recordAuditEntry(tx, {
      ...{ action: 'account-erase', by, kind: 'account', objectId: account.id },
      detail: { number },
    })
    const [id, at] = [randomUUID(), new Date().toISOString()]
    await recordBeforeCommit(tx, ledger, { id, at, kind: 'fellow', account: account.id, number, plain })
  })
}

/** Erases the account of a line of the ledger. Its number goes on to another where the database has given it away. */
export async function eraseListedFellow(tx: Database, { account: id, number, plain }: ErasedFellow): Promise<void> {
  const known = await lockAccount(tx, id, 'change')
  if (known === undefined || known.email === '') return
  const isTaken = (await tx.$count(accounts, eq(accounts.formerNumber, number))) > 0
  await eraseAccount(tx, known, { number: isTaken ? await nextNumber(tx) : number, plain })
  await recordAuditEntry(tx, { action: 'account-erase', kind: 'account', objectId: id, detail: { by: 'ledger' } })
}

async function nextNumber(tx: Database): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('former fellows', 0))`)
  const [row] = await rowsOf<{ number: number }>(
    tx,
    sql`select coalesce(max(former_number), 0) + 1 as number from accounts`,
  )
  return row?.number ?? 1
}

async function plainAddress(tx: Database, email: string): Promise<string> {
  const [row] = await rowsOf<{ plain: string }>(tx, sql`select plain_address(${email}) as plain`)
  return row?.plain ?? email
}

async function eraseAccount(tx: Database, account: KnownAccount, { number, plain }: Erased): Promise<void> {
  const { id, email } = account
  // Reads the whole history once.
  await tx.execute(sql`set local statement_timeout = 0`)
  await tx.delete(credentials).where(eq(credentials.accountId, id))
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.accountId, id))
  await deleteTwoFactor(tx, id)
  await deleteTokens(tx, id)
  await deleteSessions(tx, id)
  await deleteInvitationsOf(tx, id)
  await deleteSearchesOf(tx, id)
  await tx.delete(invitations).where(eq(invitations.email, email))
  await tx.delete(idempotencyKeys).where(eq(idempotencyKeys.accountId, id))
  await tx.delete(follows).where(eq(follows.accountId, id))
  await tx.delete(inboxSeen).where(eq(inboxSeen.accountId, id))
  for (const of of [digests, digestMails, digestRecords, accessTokens, tokenReads])
    await tx.delete(of).where(eq(of.accountId, id))
  await tx.execute(sql`delete from attempts where strpos(key, ${email}) > 0 or strpos(key, ${id}) > 0`)
  await emptyActor(tx, id)
  await giveTexts(tx, account)
  const alias = `Former fellow ${number}`
  const named = await writeAlias(tx, { id, alias })
  const [hash] = plain.hashes
  await tx
    .update(accounts)
    .set({
      ...{ name: alias, email: '', emailVerified: false, role: 'fellow' },
      ...{ formerNumber: number, plainHash: hash ?? null, pendingSince: null, readmittedAt: null },
      disabledAt: sql`coalesce(disabled_at, now())`,
      updatedAt: sql`now()`,
    })
    .where(eq(accounts.id, id))
  await emptyAuditOf(tx, account, named)
}

/**
 * Empties in the history the address of an erased person, and the values that are about them: the entries of the account,
 * entries elsewhere with the address or, as a creator or an author, the name, and those of notes that name them. Who acted stays, as an
 * account.
 */
async function emptyAuditOf(
  tx: Database,
  { id, name, email }: Pick<KnownAccount, 'id' | 'name' | 'email'>,
  named: string[],
) {
  await emptyAuditEntries(tx, sql`account_id = ${id} or account_email = ${email}`, 'actor')
  const values = sql`lower(concat_ws(' ', before, after, detail))`
  const asName = sql`concat_ws(' ', before ->> 'creatorText', after ->> 'creatorText', before ->> 'authorText', after ->> 'authorText',
    before ->> 'fellowText', after ->> 'fellowText')`
  const content = sql`concat_ws(' ', before ->> 'content', after ->> 'content')`
  await emptyAuditEntries(
    tx,
    sql`(before is not null or after is not null or detail is not null) and (
      (kind = 'account' and object_id = ${id})
      or strpos(${values}, lower(to_json(${email}::text)::text)) > 0
      or (${name} <> '' and strpos(lower(${asName}), lower(${name})) > 0)
      or (${name} <> '' and strpos(lower(${content}), lower(${`@${name}`})) > 0)
      or coalesce(after ->> 'id', before ->> 'id') = any (${sql.param(named)}::text[])
    )`,
    'values',
  )
  await tx.execute(sql`
    update denied_requests set account_email = null, ip = null, detail = null where account_email = ${email}`)
}
