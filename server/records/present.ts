import type { Account } from '#server/auth/session.ts'
import { rightsOf } from './policy.ts'
import type { RecordRow } from './row.ts'

/** The fields of every record, one by one. Each kind adds its own. */
export const presentRecord = (caller: Account, row: RecordRow) => ({
  id: row.id,
  name: row.name,
  notes: row.notes,
  rating: row.rating,
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
  additionalInfo: row.additionalInfo === null ? null : JSON.stringify(row.additionalInfo),
  notesCount: row.notesCount,
  notesPreview: row.notesPreview,
  version: row.version,
  can: rightsOf(caller, row),
})
