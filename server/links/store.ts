import { and, desc, eq, exists, gt, gte, inArray, isNull, not, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { v7 as uuidv7 } from 'uuid'
import type { LinkedKindName } from '#contract/kinds.ts'
import { withActor } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { links, merges, records } from '#server/db/schema.ts'
import { newest } from '#server/records/cursor.ts'
import { isOfKind } from '#server/records/kind.ts'
import { notifyChange } from '#server/records/notify.ts'
import { isAfter, orderOf, type PageRequest } from '#server/records/paging.ts'
import { lockRecords } from '#server/records/write/lock.ts'
import { addByHand } from '#server/records/write/write.ts'

/** A founder and a company. */
export type Pair = { founderId: string; companyId: string }

/** `id` and `createdAt` are those of the link, for the order of the list. */
export type LinkRow = { id: string; createdAt: Date; linkedId: string; name: string; role: string }

const COLUMNS = {
  founder: { own: links.founderId, linked: links.companyId, linkedKind: 'company' },
  company: { own: links.companyId, linked: links.founderId, linkedKind: 'founder' },
} as const

const later = alias(links, 'later')

/** A page of the records that are linked to one, newest first, with one extra row when there is a next page. */
export const listLinks = (
  db: Database,
  { kind, id }: { kind: LinkedKindName; id: string },
  { limit, after }: PageRequest,
): Promise<LinkRow[]> => {
  const { own, linked, linkedKind } = COLUMNS[kind]
  // Merges may have brought several links of a pair together. The newest counts; ids rise with time.
  const isRepeated = exists(
    db
      .select({ id: later.id })
      .from(later)
      .where(and(eq(later.founderId, links.founderId), eq(later.companyId, links.companyId), gt(later.id, links.id))),
  )
  return db
    .select({ id: links.id, createdAt: links.createdAt, linkedId: linked, name: records.name, role: links.role })
    .from(links)
    .innerJoin(records, and(eq(records.id, linked), isOfKind(records.kind, { name: linkedKind })))
    .where(and(eq(own, id), not(isRepeated), isAfter(newest, links, after)))
    .orderBy(...orderOf(newest, links))
    .limit(limit + 1)
}

/** The linked company as the founder's list shows it; undefined when they are not linked. */
export async function getLink(db: Database, pair: Pair): Promise<LinkRow | undefined> {
  const [row] = await db
    .select({
      id: links.id,
      createdAt: links.createdAt,
      linkedId: links.companyId,
      name: records.name,
      role: links.role,
    })
    .from(links)
    .innerJoin(records, eq(records.id, links.companyId))
    .where(isOfPair(pair))
    .orderBy(desc(links.id))
    .limit(1)
  return row
}

/** Whether the link was there before a merge of one of its records that is not undone. */
async function isOfMerge(tx: Database, { founderId, companyId }: Pair, { createdAt }: LinkRow): Promise<boolean> {
  const since = and(inArray(merges.survivorId, [founderId, companyId]), gte(merges.mergedAt, createdAt))
  const rows = await tx
    .select({ id: merges.id })
    .from(merges)
    .where(and(since, isNull(merges.undoneAt)))
    .limit(1)
  return rows.length > 0
}

const isOfPair = ({ founderId, companyId }: Pair) => and(eq(links.founderId, founderId), eq(links.companyId, companyId))

/** Links a founder and a company, or changes the role of their link. Undefined when a record is gone. */
export const putLink = (
  db: Database,
  pair: Pair,
  role: string | undefined,
  caller: Caller,
): Promise<LinkRow | undefined> =>
  withActor(db, caller, async (tx) => {
    if (!(await lockPair(tx, pair))) return undefined
    const known = await getLink(tx, pair)
    const insert = () =>
      addByHand(
        tx,
        sql`insert into ${links} (id, founder_id, company_id, role, created_by)
          values (${uuidv7()}, ${pair.founderId}, ${pair.companyId}, ${role ?? ''}, ${caller.id})
          returning array[founder_id, company_id] as ids, created_at as at, created_by as by`,
      )
    if (known === undefined) {
      await insert()
      await logChange(tx, pair, caller, { action: 'add-link', ...(role && { after: { role } }) })
    } else if (role !== undefined && role !== known.role) {
      // The undo of a merge gives the links of before back with their roles, and a later one stays on the survivor.
      if (await isOfMerge(tx, pair, known)) await insert()
      else await tx.update(links).set({ role }).where(eq(links.id, known.id))
      await logChange(tx, pair, caller, {
        action: 'update-link',
        ...(known.role && { before: { role: known.role } }),
        ...(role && { after: { role } }),
      })
    }
    return getLink(tx, pair)
  })

/** Removes all links of a pair. Does nothing for records that are not linked. */
export const deleteLink = (db: Database, pair: Pair, caller: Caller): Promise<boolean> =>
  withActor(db, caller, async (tx) => {
    if (!(await lockPair(tx, pair))) return false
    const known = await getLink(tx, pair)
    if (known === undefined) return true
    await tx.delete(links).where(isOfPair(pair))
    const { role } = known
    await logChange(tx, pair, caller, { action: 'delete-link', ...(role && { before: { role } }) })
    return true
  })

/** Locks both records. False when one of them is gone or merged away. */
async function lockPair(tx: Database, { founderId, companyId }: Pair): Promise<boolean> {
  const { id, kind } = records
  const rows = await lockRecords(tx, [founderId, companyId], { id, kind }, 'no key update')
  const isLive = (wanted: string, name: LinkedKindName) => rows.some((row) => row.id === wanted && row.kind === name)
  return isLive(founderId, 'founder') && isLive(companyId, 'company')
}

type Change = {
  action: 'add-link' | 'update-link' | 'delete-link'
  before?: { role: string }
  after?: { role: string }
}

/** The entry is in the history of both records. It has the id of the other one, whose name may be erased later. */
async function logChange(tx: Database, { founderId, companyId }: Pair, by: Caller, change: Change) {
  const sides = [
    { kind: 'founder', id: founderId, linkedId: companyId },
    { kind: 'company', id: companyId, linkedId: founderId },
  ] as const
  for (const { kind, id, linkedId } of sides) {
    await recordAuditEntry(tx, { ...change, by, kind, objectId: id, detail: { linkedId } })
    await notifyChange(tx, { kind, change: 'updated', id })
  }
}
