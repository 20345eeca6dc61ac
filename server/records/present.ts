import { z } from 'zod'
import type { Account } from '#server/auth/session.ts'
import type { RecordKind } from './kind.ts'
import { rightsOf } from './policy.ts'
import type { RecordRow } from './row.ts'

/** The fields of every record, one by one. Each kind adds its own. */
export const presentRecord = (caller: Account, row: RecordRow) => ({
  id: row.id,
  name: row.name,
  notes: row.notes,
  rating: row.rating,
  isRated: row.isRated,
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
  additionalInfo: row.additionalInfo === null ? null : JSON.stringify(row.additionalInfo),
  notesCount: row.notesCount,
  notesPreview: row.notesPreview,
  version: row.version,
  can: rightsOf(caller, row),
})

/**
 * The schema of a record of any kind. The kind with more fields comes first: a union takes the first schema that fits,
 * and a schema fits an object with further fields.
 */
export const anyRecord = (kinds: readonly RecordKind[]) =>
  z.union(
    kinds
      .map(({ contract }) => contract.Record)
      .sort((a, b) => Object.keys((b as z.ZodObject).shape).length - Object.keys((a as z.ZodObject).shape).length),
  )
