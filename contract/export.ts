import { z } from 'zod'
import { type Field, fileFields } from './fields.ts'
import { type KindField, kindFields } from './kind-fields.ts'
import type { KindName } from './kinds.ts'
import { pipelineFileFields } from './pipeline-fields.ts'
import type { ListQuery } from './record.ts'

export type FileFieldName = Extract<KindField, { file: number }>['name']

/** The fields of each kind that exports write and imports read, in the order of their columns. */
export const fileFieldsOf = Object.fromEntries(
  Object.entries<readonly Field[]>(kindFields).map(([kind, fields]) => [kind, fileFields(fields)]),
) as Record<KindName, (Field & { name: FileFieldName; file: number })[]>

/** The columns of an exported CSV, in order: one list for all kinds. A column that a kind does not have is empty. */
export const EXPORT_COLUMNS: readonly string[] = [
  ...new Map([
    ...Object.values(fileFieldsOf).flatMap((fields) => fields.map(({ name, file }): [string, number] => [name, file])),
    ...pipelineFileFields.flatMap((field): [string, number][] => ('file' in field ? [[field.name, field.file]] : [])),
  ]),
]
  .sort(([, one], [, other]) => one - other)
  .map(([column]) => column)

/** What JSON Lines have of the pipeline besides these columns. */
export const LINE_COLUMNS: readonly string[] = pipelineFileFields.flatMap((field) =>
  'line' in field ? [field.line] : [],
)

export const ExportFormat = z.enum(['csv', 'jsonl'], { error: 'Format must be csv or jsonl' })
export type ExportFormat = z.infer<typeof ExportFormat>

/** The filters of a list, without paging: an export contains all pages. */
export type ExportQuery = Omit<ListQuery, 'limit' | 'cursor' | 'in'> & { format: ExportFormat }

/** The query of an export, from that of the kind's list. */
export const exportQuery = (list: z.ZodObject): z.ZodType<ExportQuery> =>
  list.omit({ limit: true, cursor: true, in: true }).extend({ format: ExportFormat.default('csv') }) as never

/** The number of records beyond My Records that a fellow may export in 24 hours. */
export const EXPORTED_MAX = 200
