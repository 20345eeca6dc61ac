import { type AnyColumn, and, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { alias, type PgTable } from 'drizzle-orm/pg-core'
import { CHANGES_DAYS } from '#contract/changes.ts'
import type { ImportState } from '#contract/import.ts'
import type { ImportKindName } from '#contract/import-kinds.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import {
  accounts,
  bulkActs,
  bulkRows,
  dismissals,
  duplicatePairs,
  imports,
  merges,
  passingReasons,
  records,
  stages,
  tags,
} from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'
import { inBatches } from '#server/http/batches.ts'
import { newest, positionIn } from '#server/records/cursor.ts'
import { isAfter, lastBeforeNext, orderOf, type PageRequest } from '#server/records/paging.ts'
import { rights } from '#server/rights.ts'

/** A change of records. `accountId` is the account of the fellow who made it, `by` that fellow on the wire. */
type Common = {
  id: string
  createdAt: Date
  undoneAt: Date | null
  accountId: string
  by: { id: string; name: string }
  what: string
  count: number
  /** Deleted ones are null. */
  records: ({ id: string; name: string } | null)[]
}
export type ChangeRow = Common &
  (
    | { act: 'merge'; firstFinders: (string | null)[]; newestId: string | null; hasValues: boolean }
    | { act: 'dismissal'; isDismissed: boolean; isMerged: boolean }
    | { act: 'import'; state: ImportState; kind: ImportKindName }
    | { act: 'bulk' }
    | { act: 'deletion' }
  )
type RowOf<Act extends ChangeRow['act']> = Extract<ChangeRow, { act: Act }>

/** A page of the recent changes that the caller may see, newest first, and the last that was found when there is a next page. */
export async function listChanges(
  db: Database,
  caller: Account,
  page: PageRequest,
): Promise<{ rows: ChangeRow[]; next: PageRequest['after'] }> {
  const isOwn = (account: AnyColumn) => (rights.allChanges.allows(caller) ? undefined : eq(account, caller.id))
  const hasRun = and(isNotNull(imports.startedAt), isOwn(imports.accountId))
  const hasChanged = and(hasChangedRows, isOwn(bulkActs.accountId))
  const wasDeleted = and(isNotNull(records.deletedBy), isNull(records.mergedInto), isOwn(records.deletedBy))
  const found = await rowsOf<{ id: string; act: ChangeRow['act']; createdAt: string }>(
    db,
    sql`select act, id, to_json(at) #>> '{}' as "createdAt" from (
        ${newestOf('merge', merges, { createdAt: merges.mergedAt, id: merges.id }, page)}
        union all ${newestOf('dismissal', dismissals, { createdAt: dismissals.dismissedAt, id: dismissals.id }, page)}
        union all ${newestOf('import', imports, { createdAt: imports.startedAt, id: imports.id }, page, hasRun)}
        union all ${newestOf('bulk', bulkActs, { createdAt: bulkActs.doneAt, id: bulkActs.id }, page, hasChanged)}
        union all ${newestOf('deletion', records, { createdAt: records.deletedAt, id: records.id }, page, wasDeleted)}
      ) changes order by at desc, id desc limit ${page.limit + 1}`,
  )
  const places = found.slice(0, page.limit)
  const last = lastBeforeNext(found, page.limit)
  const idsOf = (act: ChangeRow['act']) => places.flatMap((place) => (place.act === act ? place.id : []))
  const rows: ChangeRow[] = [
    ...(await inBatches(idsOf('merge'), (ids) => getMerges(db, ids))),
    ...(await inBatches(idsOf('dismissal'), (ids) => getDismissals(db, ids))),
    ...(await inBatches(idsOf('import'), (ids) => getImports(db, ids))),
    ...(await inBatches(idsOf('bulk'), (ids) => getBulkActs(db, ids))),
    ...(await inBatches(idsOf('deletion'), (ids) => getDeletions(db, ids))),
  ]
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { rows: places.flatMap(({ id }) => byId.get(id) ?? []), next: last && positionIn(newest, last) }
}

const changedRows = sql`${bulkRows} where ${bulkRows.bulkId} = ${bulkActs.id} and ${bulkRows.error} is null`
/** Rows of erased records are gone. Not `exists`, for which PostgreSQL may read all rows. */
const hasChangedRows = sql`(select true from ${changedRows} limit 1)`

type Columns = { createdAt: AnyColumn; id: AnyColumn }

const newestOf = (
  act: ChangeRow['act'],
  table: PgTable,
  columns: Columns,
  { limit, after }: PageRequest,
  where?: SQL,
) =>
  sql`(
    select ${sql.raw(`'${act}'`)} as act, ${columns.id} as id, ${columns.createdAt} as at from ${table}
    where ${and(sql`${columns.createdAt} > now() - make_interval(days => ${CHANGES_DAYS})`, isAfter(newest, columns, after), where)}
    order by ${sql.join(orderOf(newest, columns), sql`, `)} limit ${limit + 1}
  )`

const by = sql<Common['by']>`json_build_object(
  'id', ${accounts.publicId}, 'name', ${shownName()}
)`
/** The kind of a deleted record. */
const bareKind = sql<string>`substr(${records.kind}, length('deleted-') + 1)`
const one = alias(records, 'one')
const other = alias(records, 'other')
const named = ({ id, name, deletedAt }: typeof one | typeof other) =>
  sql`case when ${id} is not null and ${deletedAt} is null then json_build_object('id', ${id}, 'name', ${name}) end`
const both = sql<Common['records']>`json_build_array(${named(one)}, ${named(other)})`

async function getMerges(db: Database, ids: string[]): Promise<RowOf<'merge'>[]> {
  const rows = await db
    .select({
      id: merges.id,
      createdAt: merges.mergedAt,
      undoneAt: merges.undoneAt,
      accountId: merges.accountId,
      by,
      what: merges.kind,
      records: both,
      hasValues: sql<boolean>`${merges.before} <> '{}' and ${merges.after} <> '{}'`,
      firstFinders: sql<(string | null)[]>`array(
        select owner_of(found.creator_id, found.creator_text)
        from merged_tree(${merges.survivorId}) tree join ${records} found on found.id = tree.id
      )`,
      // The merge of these records and of all merged with them that has to be undone first.
      newestId: sql<string | null>`(
        select newest.id from merged_tree(merged_root(${merges.survivorId})) tree cross join lateral (
          select newer.id, newer.merged_at from ${merges} newer
          where newer.survivor_id = tree.id and newer.undone_at is null
          order by newer.merged_at desc, newer.id desc limit 1
        ) newest order by newest.merged_at desc, newest.id desc limit 1
      )`,
    })
    .from(merges)
    .innerJoin(accounts, eq(accounts.id, merges.accountId))
    .leftJoin(one, eq(one.id, merges.survivorId))
    .leftJoin(other, eq(other.id, merges.duplicateId))
    .where(inArray(merges.id, ids))
  return rows.map((row) => ({ ...row, act: 'merge', count: 2 }))
}

async function getDismissals(db: Database, ids: string[]): Promise<RowOf<'dismissal'>[]> {
  const rows = await db
    .select({
      id: dismissals.id,
      createdAt: dismissals.dismissedAt,
      undoneAt: dismissals.undoneAt,
      accountId: dismissals.accountId,
      by,
      what: dismissals.kind,
      records: both,
      isDismissed: sql<boolean>`exists (
        select from ${duplicatePairs} pair
        where pair.a = ${dismissals.a} and pair.b = ${dismissals.b} and pair.dismissed is not null
      )`,
      isMerged: sql<boolean>`${one.mergedInto} is not null or ${other.mergedInto} is not null`,
    })
    .from(dismissals)
    .innerJoin(accounts, eq(accounts.id, dismissals.accountId))
    .leftJoin(one, eq(one.id, dismissals.a))
    .leftJoin(other, eq(other.id, dismissals.b))
    .where(inArray(dismissals.id, ids))
  return rows.map((row) => ({ ...row, act: 'dismissal', count: 2 }))
}

async function getImports(db: Database, ids: string[]): Promise<RowOf<'import'>[]> {
  const rows = await db
    .select({
      id: imports.id,
      createdAt: sql<Date>`${imports.startedAt}`.mapWith(imports.startedAt),
      undoneAt: imports.revertedAt,
      accountId: imports.accountId,
      by,
      what: imports.fileName,
      state: imports.state,
      kind: imports.kind,
      counts: imports.counts,
    })
    .from(imports)
    .innerJoin(accounts, eq(accounts.id, imports.accountId))
    .where(inArray(imports.id, ids))
  return rows.map(({ counts: { created = 0, updated = 0, reverted = 0, kept = 0, notes }, ...row }) => ({
    ...{ ...row, act: 'import', records: [] },
    count: notes ?? created + updated + reverted + kept,
  }))
}

async function getBulkActs(db: Database, ids: string[]): Promise<RowOf<'bulk'>[]> {
  const responsible = alias(accounts, 'responsible')
  const rows = await db
    .select({
      act: bulkActs,
      by,
      count: sql<number>`(select count(*)::int from ${changedRows})`,
      records: sql<Common['records']>`(
        select coalesce(json_agg(json_build_object('id', named.id, 'name', named.name) order by named.place), '[]') from (
          select ${records.id}, ${records.name}, ${bulkRows.place} from ${bulkRows} join ${records} on ${records.id} = ${bulkRows.recordId}
          where ${bulkRows.bulkId} = ${bulkActs.id} and ${bulkRows.error} is null and ${records.deletedAt} is null
          order by ${bulkRows.place} limit 2
        ) named
      )`,
      tag: tags.name,
      stage: stages.name,
      responsible: sql<string | null>`${shownName(responsible)}`,
      reason: passingReasons.name,
    })
    .from(bulkActs)
    .innerJoin(accounts, eq(accounts.id, bulkActs.accountId))
    .leftJoin(tags, eq(tags.id, bulkActs.tagId))
    .leftJoin(stages, eq(stages.id, bulkActs.stageId))
    .leftJoin(responsible, eq(responsible.id, bulkActs.responsibleId))
    .leftJoin(passingReasons, eq(passingReasons.id, bulkActs.passingReasonId))
    .where(inArray(bulkActs.id, ids))
  return rows.map(({ act, by, count, records, ...names }) => ({
    ...{ id: act.id, createdAt: act.doneAt, undoneAt: act.undoneAt, accountId: act.accountId, by },
    ...{ act: 'bulk', what: whatOf(act, names), count, records },
  }))
}

/** `the tag Climate, the stage Met`. */
function whatOf(
  act: typeof bulkActs.$inferSelect,
  names: Record<'tag' | 'stage' | 'responsible' | 'reason', string | null>,
): string {
  const parts = [
    act.setsTag && (names.tag === null ? 'a tag that was deleted' : `the tag ${names.tag}`),
    act.setsStage && (names.stage === null ? 'no stage' : `the stage ${names.stage}`),
    act.setsResponsible &&
      (names.responsible === null ? 'no responsible fellow' : `${names.responsible} as responsible fellow`),
    act.passes && `the status Passed (${names.reason})`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

async function getDeletions(db: Database, ids: string[]): Promise<RowOf<'deletion'>[]> {
  const rows = await db
    .select({
      id: records.id,
      name: records.name,
      createdAt: sql<Date>`${records.deletedAt}`.mapWith(records.deletedAt),
      accountId: accounts.id,
      by,
      what: bareKind,
    })
    .from(records)
    .innerJoin(accounts, eq(accounts.id, records.deletedBy))
    .where(inArray(records.id, ids))
  return rows.map(({ name, ...row }) => ({
    ...{ ...row, act: 'deletion', undoneAt: null, count: 1 },
    records: [{ id: row.id, name }],
  }))
}
