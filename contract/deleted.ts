import { z } from 'zod'
import { kindNames } from './kinds.ts'
import { listQueryParts } from './record.ts'

/** A deleted record can be brought back for this long. */
export const DELETED_DAYS = 30

export const DeletedQuery = z.object({ limit: listQueryParts.limit, cursor: listQueryParts.cursor })

/** Lists of them are newest first. */
export const DeletedRecord = z.object({
  id: z.uuid(),
  kind: z.enum(kindNames),
  name: z.string(),
  deletedAt: z.iso.datetime(),
  by: z.object({ id: z.uuid().meta({ description: 'Public id of the account' }), name: z.string() }),
  until: z.iso.datetime().meta({ description: 'When it can no longer be brought back' }),
})
export type DeletedRecord = z.infer<typeof DeletedRecord>

export const RestoredRecord = DeletedRecord.pick({ id: true, kind: true })
