import { z } from 'zod'
import type { ListQuery } from './record.ts'

/**
 * The columns of an exported CSV, in order: one list for all kinds. A column that a kind does not have is empty, and so
 * are stage, status, responsible, tags and next step until records have them.
 */
export const EXPORT_COLUMNS = [
  ...['name', 'linkedIn', 'website', 'description', 'notes', 'rating', 'createdBy', 'createdAt'],
  ...['stage', 'status', 'responsible', 'tags', 'company', 'title', 'email', 'place', 'industry', 'founded'],
  ...['employees', 'bio', 'nextStep', 'nextOn'],
] as const
export type ExportColumn = (typeof EXPORT_COLUMNS)[number]

export const ExportFormat = z.enum(['csv', 'jsonl'], { error: 'Format must be csv or jsonl' })
export type ExportFormat = z.infer<typeof ExportFormat>

/** The filters of a list, without paging: an export contains all pages. */
export type ExportQuery = Omit<ListQuery, 'limit' | 'cursor'> & { format: ExportFormat }

/** The query of an export, from that of the kind's list. */
export const exportQuery = (list: z.ZodObject): z.ZodType<ExportQuery> =>
  list.omit({ limit: true, cursor: true }).extend({ format: ExportFormat.default('csv') }) as never

export const ExportRights = z.object({
  all: z.boolean().meta({ description: 'Whether the caller may export records beyond My Records' }),
})
export type ExportRights = z.infer<typeof ExportRights>
