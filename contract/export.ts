import { z } from 'zod'
import { importFields } from './import.ts'
import type { ListQuery } from './record.ts'

/** The columns of an exported CSV, in order. The last four stay empty until records have them. */
export const EXPORT_COLUMNS = [...importFields, 'stage', 'status', 'responsible', 'tags'] as const
export type ExportColumn = (typeof EXPORT_COLUMNS)[number]

export const ExportFormat = z.enum(['csv', 'jsonl'], { error: 'Format must be csv or jsonl' })
export type ExportFormat = z.infer<typeof ExportFormat>

/** The filters of a list, without paging: an export contains all pages. */
export type ExportQuery = Omit<ListQuery, 'limit' | 'cursor'> & { format: ExportFormat }

/** The query of an export, from that of the kind's list. */
export const exportQuery = (list: z.ZodObject): z.ZodType<ExportQuery> =>
  list.omit({ limit: true, cursor: true }).extend({ format: ExportFormat.default('csv') }) as never
