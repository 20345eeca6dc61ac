import { v7 as uuidv7 } from 'uuid'
import type { ImportPatch } from '#contract/import.ts'
import type { Dialect } from '#contract/import-file.ts'
import { onlyActor } from '#server/audit-log/actor.ts'
import { type AuditEntry, recordAuditEntry } from '#server/audit-log/entries.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { importLookUps, imports } from '#server/db/schema.ts'
import { AppError, busy, invalid } from '#server/http/errors.ts'
import { claimId, type IdempotencyKey } from '#server/http/idempotency.ts'
import type { ImportJobs } from '#server/import/jobs/jobs.ts'
import { isOver, recordKindOf } from '#server/import/jobs/look-ups.ts'
import { hideImport } from '#server/import/jobs/stop.ts'
import type { TemporaryFiles } from '#server/import/jobs/temporary-files.ts'
import { UnreadableFile } from '#server/import/read/files/unreadable-file.ts'
import type { FileReader } from '#server/import/read/process/file-reader.ts'
import type { Inspected } from '#server/import/read/process/protocol.ts'
import { ReaderClosed } from '#server/import/read/process/reader-process.ts'
import { refuseWrongChoices } from '#server/import/rows/pipeline-known.ts'
import { deleteFile, loadFile, saveFile } from '#server/import/store/file-store.ts'
import { type ImportRecord, lockImport, updateImport } from '#server/import/store/store.ts'
import type { ImportTarget } from '#server/import/target.ts'
import { targetNamed } from '#server/import/targets/targets.ts'
import { changedOptions, guessedOptions } from './options.ts'
import { authorizeImport, authorizeTarget } from './policy.ts'
import { refuseTooMany } from './quotas.ts'

// The actions of a person on an import. Each one changes its state and queues its next step in one transaction.

export type ImportContext = {
  db: Database
  jobs: ImportJobs
  targets: ImportTarget[]
  reader: FileReader
  temporary: TemporaryFiles
}

const wrongState = (sentence: string) => new AppError(409, sentence)

/** Refuses an unreadable file with a sentence. */
const readable = <Result>(reading: Promise<Result>, field: string): Promise<Result> =>
  reading.catch((error) => {
    if (error instanceof ReaderClosed) throw busy(5)
    throw error instanceof UnreadableFile ? invalid({ [field]: error.message }) : error
  })

/** A file whose rows cannot be read has failed. A person can choose another dialect. */
const readingOf = ({ error }: Pick<Inspected, 'error'>) =>
  error === undefined ? { state: 'reading' as const, error: null } : { state: 'failed' as const, error }

/** Saves an uploaded file, guesses its format, and starts reading it. */
export async function uploadImport(
  { db, jobs, targets, reader }: ImportContext,
  caller: Caller,
  { name, path, bytes }: { name: string; path: string; bytes: number },
  key: IdempotencyKey,
): Promise<string> {
  const read = await readable(reader.inspect({ path, bytes, owner: caller.id }), 'file')
  const { dialect, inspection } = read
  const options = guessedOptions(targets, read, name, caller)
  await jobs.open()
  const id = uuidv7()
  await saveFile(db, id, path)
  const create = db.transaction(async (tx) => {
    await claimId(tx, key, id)
    await refuseTooMany(tx, caller.id)
    const { state, error } = readingOf(read)
    await tx.insert(imports).values({
      ...{ id, accountId: caller.id, tokenId: caller.token?.id, fileName: name, bytes, state, error },
      dialect,
      inspection,
      ...options,
    })
    const detail = { name, bytes }
    await recordAuditEntry(tx, { action: 'upload', by: onlyActor(caller), kind: 'import', objectId: id, detail })
    if (state === 'reading') await jobs.queue(tx, 'reading', { import: id, by: onlyActor(caller) })
  })
  await create.catch(async (error) => {
    await deleteFile(db, id)
    throw error
  })
  await jobs.wake('reading')
  return id
}

/**
 * Reads the file again with other options. Another dialect or kind guesses the columns again, unless they are given.
 */
export async function changeImport(
  context: ImportContext,
  caller: Caller,
  record: ImportRecord,
  patch: ImportPatch,
): Promise<void> {
  const { jobs, targets } = context
  for (const name of [record.kind, patch.kind ?? record.kind]) {
    authorizeTarget(caller, record, targetNamed(targets, name))
  }
  refuseUnlessReady(record)
  await refuseWrongChoices(context.db, patch.choices ?? null)
  const read: Pick<Inspected, 'dialect' | 'columns' | 'inspection' | 'error'> =
    patch.dialect === undefined ? withoutError(record) : await inspectStored(context, caller, record, patch.dialect)
  const { dialect, inspection } = read
  const options = changedOptions(targets, record, read, patch)
  const { state, error } = readingOf(read)
  await startStep(context, caller, record.id, {
    state,
    check: refuseUnlessReady,
    values: { error, dialect, inspection, attempts: 0, furthestRow: -1, ...options },
  })
  await jobs.wake('reading')
}

const withoutError = ({ dialect, columns, inspection }: ImportRecord) => ({ dialect, columns, inspection })

const inspectStored = ({ db, reader, temporary }: ImportContext, caller: Caller, record: ImportRecord, to: Dialect) =>
  temporary.with((path) => {
    const prepare = () => loadFile(db, record.id, path)
    return readable(reader.inspect({ path, bytes: record.bytes, owner: caller.id, prepare }, to), 'dialect')
  })

function refuseUnlessReady({ state, startedAt }: ImportRecord) {
  if (state === 'ready' || (state === 'failed' && startedAt === null)) return
  throw wrongState(
    state === 'reading' ? 'The file is still being read. Try again in a moment.' : 'This import has already run',
  )
}

/** Starts importing the rows. */
export async function startImport(context: ImportContext, caller: Caller, id: string, key: IdempotencyKey) {
  await startStep(context, caller, id, {
    state: 'running',
    key,
    check: ({ state, startedAt }) => {
      if (state === 'reading') throw wrongState('The file is still being read. Try again in a moment.')
      if (state === 'failed' && startedAt === null) throw wrongState('This file cannot be read. Choose how to read it.')
      if (state !== 'ready') throw wrongState('This import has already run')
    },
    values: { counts: {}, done: 0, lastRow: -1, startedAt: new Date() },
    audit: ({ fileName, kind, duplicates, total }) => ({
      action: 'import',
      detail: { name: fileName, kind, duplicates, rows: total },
    }),
  })
  await context.jobs.wake('running')
}

/** Starts reverting the import. */
export async function startRevert(context: ImportContext, caller: Caller, id: string, key: IdempotencyKey) {
  await startStep(context, caller, id, {
    state: 'reverting',
    key,
    check: ({ state, startedAt }) => {
      if (state === 'done' || state === 'cancelled' || (state === 'failed' && startedAt !== null)) return
      if (state === 'running') throw wrongState('This import is still running. Try again when it has ended.')
      throw wrongState(
        state === 'reverting' || state === 'reverted' ? 'This import has been reverted' : 'This import has not run yet',
      )
    },
    values: ({ counts }) => ({ done: 0, total: (counts.created ?? 0) + (counts.updated ?? 0) }),
    audit: ({ fileName, kind, counts }) => ({ action: 'revert-import', detail: { name: fileName, kind, counts } }),
  })
  await context.jobs.wake('reverting')
}

/** Starts looking up the records that the import has created. */
export async function startLookUps({ db, jobs }: ImportContext, caller: Caller, id: string, key: IdempotencyKey) {
  await jobs.open()
  await db.transaction(async (tx) => {
    await claimId(tx, key, id)
    const record = await lockImport(tx, id)
    if (record === undefined) return
    if (!isOver(record) || recordKindOf(record) === undefined) {
      throw wrongState('This import has no records to look up')
    }
    const asked = await tx.insert(importLookUps).values({ importId: id }).onConflictDoNothing().returning()
    if (asked.length === 0) throw wrongState('The records of this import are being looked up already')
    const by = onlyActor(caller)
    const detail = { name: record.fileName }
    await recordAuditEntry(tx, { action: 'look-up', by, kind: 'import', objectId: id, detail })
    await jobs.queue(tx, 'looking-up', { import: id, by })
  })
  await jobs.wake('looking-up')
}

/** Deletes an import with its file and its rows. Its records stay. */
export async function deleteImport({ db, jobs }: ImportContext, caller: Caller, id: string): Promise<void> {
  const by = onlyActor(caller)
  await jobs.open()
  await hideImport(db, id, by, (tx) => jobs.queue(tx, 'deleting', { import: id, by }))
  await jobs.wake('deleting')
}

type StepStart = {
  /** No job is queued for a file that has failed. */
  state: 'reading' | 'failed' | 'running' | 'reverting'
  key?: IdempotencyKey
  /** Throws the 409 of the wrong state. */
  check: (record: ImportRecord) => void
  values: Partial<typeof imports.$inferInsert> | ((record: ImportRecord) => Partial<typeof imports.$inferInsert>)
  audit?: (record: ImportRecord) => AuditEntry<'import'> | AuditEntry<'revert-import'>
}

async function startStep(
  { db, jobs, targets }: ImportContext,
  caller: Caller,
  id: string,
  start: StepStart,
): Promise<void> {
  const { state, key, check, values, audit } = start
  await jobs.open()
  await db.transaction(async (tx) => {
    await claimId(tx, key, id)
    const record = await lockImport(tx, id)
    if (record === undefined) return
    authorizeImport(caller, record)
    authorizeTarget(caller, record, targetNamed(targets, record.kind))
    check(record)
    await updateImport(tx, id, { error: null, ...(typeof values === 'function' ? values(record) : values), state })
    if (audit) await recordAuditEntry(tx, { ...audit(record), by: onlyActor(caller), kind: 'import', objectId: id })
    if (state !== 'failed') await jobs.queue(tx, state, { import: id, by: onlyActor(caller) })
  })
}
