import { and, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { pipelineFields } from '#contract/pipeline-fields.ts'
import type { RecordPatch } from '#contract/record.ts'
import { type Actor, changeAs, withActor } from '#server/audit-log/actor.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { type Facts, records } from '#server/db/schema.ts'
import {
  addressesIn,
  assertNotSuppressed,
  type Overrule,
  refuseListed,
  refusingListed,
  saveOverrule,
} from '#server/do-not-keep/listed.ts'
import { type IdempotencyKey, newId } from '#server/http/idempotency.ts'
import { addressesOf, fieldsOf, type StoredAddresses } from '#server/records/fields.ts'
import { deletedKind, type Fields, isOfKind, type RecordKind } from '#server/records/kind.ts'
import { type OwnRow, ownColumns } from './own-columns.ts'
import {
  type AllValues,
  byHand,
  changedColumns,
  columnsOf,
  type NewRecord,
  notesEditOf,
  type PipelineChange,
  type PipelineValues,
  pipelineColumns,
  type RecordChange,
  type Row,
  type SomeValues,
  type WrittenKind,
} from './written-columns.ts'

// The only writer of the table of records, so that no change can forget a derived column: the normalised address, the
// searched text, whether the record is rated, and the version. A test refuses statements elsewhere. It refuses addresses of
// people who asked not to be kept, in new values and in rows that come back.

/** Inserts records in one statement. */
export async function insertRecords(tx: Database, kind: RecordKind, created: NewRecord[]): Promise<void> {
  await assertNotSuppressed(
    tx,
    created.flatMap((one) => addressesIn(kind, valuesIn(one))),
  )
  await insertion(tx, kind, created)
}

const insertion = (tx: Database, kind: RecordKind, created: NewRecord[]) =>
  tx.insert(records).values(
    created.map(({ fields, info, pipeline, ...others }) => ({
      ...others,
      ...(pipeline && { ...pipeline, pipelineVersion: 1 }),
      // The contract and the table's constraints enforce which fields a kind requires.
      ...(columnsOf(kind, { fields, info }) as Omit<Row, 'id' | 'kind'>),
      kind: kind.name,
    })),
  )

/** The values of a change that may be addresses. */
const valuesIn = (change: AllValues | SomeValues): Facts => ({
  ...('info' in change ? change.info : change.facts?.set),
  ...change.fields,
})

/**
 * Changes a record, unless the condition does not hold. Its version stays, so that open editors see no conflict. Returns it
 * as changed.
 */
export async function changeRecord(
  tx: Database,
  kind: WrittenKind,
  id: string,
  { overrule, ...change }: RecordChange & { overrule?: Overrule | undefined },
  condition?: SQL,
): Promise<OwnRow | undefined> {
  const listed = await assertNotSuppressed(tx, addressesIn(kind, valuesIn(change)), { records: [id], overrule })
  const [row] = await update(tx, kind, id, change, condition).returning(ownColumns)
  if (row !== undefined) await saveOverrule(tx, kind, id, { listed, overrule })
  return row
}

function update(tx: Database, kind: WrittenKind, id: string, change: RecordChange, condition?: SQL) {
  // Not as the column itself: of the kinds of merged records, which are few, the planner would read an index of kinds.
  return tx
    .update(records)
    .set(changedColumns(kind, change))
    .where(and(eq(records.id, id), isOfKind(sql`(${records.kind} || '')`, kind), condition))
}

const NEW_VERSION = { version: sql`${records.version} + 1` }

/** Like `changeRecord`, as a new version. */
export const editRecord = (
  tx: Database,
  kind: WrittenKind,
  id: string,
  change: RecordChange & { overrule?: Overrule | undefined },
  condition?: SQL,
): Promise<OwnRow | undefined> => changeRecord(tx, kind, id, { ...change, ...NEW_VERSION }, condition)

/** Throws the 409 when records that come back have an address that is not kept. */
export async function refuseListedRecords(tx: Database, kinds: readonly RecordKind[], ids: string[]): Promise<void> {
  const rows = await rowsOf<StoredAddresses & { kind: string }>(
    tx,
    sql`select kind, linked_in as "linkedIn", website, additional_info as "additionalInfo"
      from ${records} where id = any (${sql.param(ids)}::uuid[])`,
  )
  const addresses = rows.flatMap(({ kind: name, ...row }) => {
    const kind = kinds.find((one) => name.split('-').at(-1) === one.name)
    return kind === undefined ? [] : addressesOf(kind, row)
  })
  await assertNotSuppressed(tx, addresses, { records: ids })
}

/** Gives the records of a creator in text to an account. Returns their ids. */
export async function giveRecords(tx: Database, accountId: string, isCreator: SQL): Promise<string[]> {
  const given = await tx
    .update(records)
    .set({ creatorId: accountId, creatorText: null })
    .where(and(isNull(records.creatorId), isCreator))
    .returning({ id: records.id })
  return given.map(({ id }) => id)
}

/** Changes values of the pipeline of records, as a new version of it. The version of the records stays. `by` changes them by hand. */
export const changePipelines = (
  tx: Database,
  kind: Parameters<typeof isOfKind>[1],
  ids: string[],
  values: PipelineChange,
  by?: Caller,
) =>
  tx
    .update(records)
    .set({ ...pipelineColumns(values), ...(by && byHand(by)) })
    .where(and(sql`${records.id} = any (${sql.param(ids)}::uuid[])`, isOfKind(records.kind, kind)))

/** Gives each of these records its own values of the pipeline, in one statement. */
export async function changeEachPipeline(
  tx: Database,
  kind: Parameters<typeof isOfKind>[1],
  changes: { id: string; values: Required<PipelineValues> }[],
): Promise<void> {
  if (changes.length === 0) return
  const columns = pipelineFields.map(({ column }) => ({ key: column, column: records[column] }))
  const named = columns.map(({ column }) => sql.identifier(column.name))
  const typed = columns.map(({ column }) => sql`${sql.identifier(column.name)} ${sql.raw(column.getSQLType())}`)
  const given = changes.map(({ id, values }) => ({
    id,
    ...Object.fromEntries(columns.map(({ key, column }) => [column.name, values[key]])),
  }))
  await tx.execute(sql`
    update ${records} set
      ${sql.join(
        named.map((name) => sql`${name} = given.${name}`),
        sql`, `,
      )}, pipeline_version = ${records.pipelineVersion} + 1
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (id uuid, ${sql.join(typed, sql`, `)})
    where ${records.id} = given.id and ${isOfKind(records.kind, kind)}`)
}

/** The rows stay for a while, see `programme/deleted`. Triggers do the rest. */
export const deleteRecords = (tx: Database, kind: RecordKind, ids: string[], condition?: SQL) =>
  tx
    .update(records)
    .set({ kind: sql`${deletedKind(kind).name}` })
    .where(and(inArray(records.id, ids), isOfKind(records.kind, kind), condition))

/** Deletes records of any kind, also merged ones. */
export const deleteRows = (tx: Database, ids: string[]) => tx.delete(records).where(inArray(records.id, ids))

/** Brings a deleted record back, with everything merged into it. Undefined, without a change, if the condition does not hold. */
export async function restoreRecord(
  tx: Database,
  kinds: readonly RecordKind[],
  id: string,
  condition: SQL | undefined,
) {
  const [restored] = await tx
    .update(records)
    .set({ kind: sql`substr(${records.kind}, length('deleted-') + 1)` })
    .where(and(eq(records.id, id), condition))
    .returning({ id: records.id, kind: records.kind })
  if (restored === undefined) return undefined
  const tree = await rowsOf<{ id: string }>(tx, sql`select id from merged_tree(${id})`)
  await refuseListedRecords(
    tx,
    kinds,
    tree.map((row) => row.id),
  )
  return restored
}

/** Marks records as informed, or takes the mark back. Returns the ids of those that changed. Their version stays. */
export async function markInformed(
  tx: Database,
  kind: Pick<RecordKind, 'name'>,
  ids: string[],
  by: string | null,
): Promise<string[]> {
  const mark = by === null ? { informedAt: null, informedBy: null } : { informedAt: sql`now()`, informedBy: by }
  const rows = await tx
    .update(records)
    .set(mark)
    .where(
      and(
        inArray(records.id, ids),
        isOfKind(records.kind, kind),
        by === null ? isNotNull(records.informedAt) : isNull(records.informedAt),
      ),
    )
    .returning({ id: records.id })
  return rows.map(({ id }) => id)
}

/**
 * Adds rows of a feature by hand, and makes them the last activity of their records, in one statement. `rows` is an insert that
 * returns `ids` of records, `at` and `by`, which is null for none.
 */
export const addByHand = <Added>(tx: Database, rows: SQL): Promise<Added[]> =>
  rowsOf<Added>(
    tx,
    sql`with added as (${rows}), active as (
        update ${records} set last_activity_at = newest.at, last_activity_by = newest.by
        from (select record_id, by, max(at) as at from added, unnest(ids) record_id where by is not null group by record_id, by) newest
        where ${records.id} = newest.record_id and last_activity_at <= newest.at
      )
      select * from added`,
  )

export async function createRecord<Input extends Fields>(
  db: Database,
  kind: RecordKind<Input>,
  creator: Caller,
  input: Input,
  key?: IdempotencyKey,
  overrule?: Overrule,
): Promise<OwnRow> {
  const fields = fieldsOf(kind, input)
  const created = {
    ...{ id: newId(key), fields, info: null, creatorId: creator.id, firstRating: fields.rating ?? null },
    // The time of the column `created_at`.
    ...{ lastActivityAt: sql<Date>`now()`, lastActivityBy: creator.id },
  }
  const addresses = addressesIn(kind, valuesIn(created))
  const insert = (tx: Database) => insertion(tx, kind, [created]).returning(ownColumns)
  const insertOverruled = async (tx: Database) => {
    const listed = await assertNotSuppressed(tx, addresses, { overrule })
    const rows = await insert(tx)
    for (const { id } of rows) await saveOverrule(tx, kind, id, { listed, overrule })
    return rows
  }
  const [row] = await (overrule === undefined
    ? refusingListed(changeAs(db, creator, insert, refuseListed(addresses)))
    : withActor(db, creator, insertOverruled))
  if (row === undefined) throw new Error('An insert returned no row')
  return row
}

/** Undefined, without a change, when the record is gone or no longer at the patch's `version`. */
export async function updateRecord<Row extends OwnRow & { notesEditor: string | null }>(
  db: Database,
  kind: RecordKind,
  editor: Caller,
  record: Row,
  patch: RecordPatch,
): Promise<Row | undefined> {
  const fields = fieldsOf(kind, patch)
  const change = { fields, ...byHand(editor), ...(fields.notes !== undefined && notesEditOf(editor, fields.notes)) }
  const isCurrent = patch.version === undefined ? undefined : eq(records.version, patch.version)
  const save = (tx: Database) =>
    update(tx, kind, record.id, { ...change, ...NEW_VERSION }, isCurrent).returning(ownColumns)
  const check = refuseListed(addressesIn(kind, fields), [record.id])
  const [row] = await refusingListed(changeAs(db, editor, save, check))
  if (row === undefined) return undefined
  const notesEditor = row.notesEditedBy === editor.id ? nameOf(editor) : record.notesEditor
  return { ...record, ...row, notesEditor }
}

const nameOf = ({ name, email }: Caller) => name || email

/** False, without a deletion, when the record is gone, or a merge or an undo has changed who may delete it. */
export async function deleteRecord(
  db: Database,
  kind: RecordKind,
  actor: Actor,
  { id, isUnited }: Pick<OwnRow, 'id' | 'isUnited'>,
): Promise<boolean> {
  const isAsRead = eq(records.isUnited, isUnited)
  const deleted = await changeAs(db, actor, (tx) =>
    deleteRecords(tx, kind, [id], isAsRead).returning({ id: records.id }),
  )
  return deleted.length > 0
}
