import { z } from 'zod'
import { FinderSummary } from './finder.ts'
import { kindNames } from './kinds.ts'
import { listQueryParts, RecordId } from './record.ts'

/**
 * The reasons why two records may be the same person or company, most certain first. `same_name` is the same text, in
 * whatever case, `name` a similar one; with `_company` where the company is the same too.
 */
export const DuplicateReason = z.enum([
  ...['linkedin', 'email', 'domain'],
  ...['same_name_company', 'same_name', 'name_company', 'name'],
] as const)
export type DuplicateReason = z.infer<typeof DuplicateReason>

/** The maximum number of similar records suggested while a person types. */
export const SIMILAR_MAX = 3

const isCertain = z.boolean().meta({
  description: 'False where only the name is similar, or an equal address is shared by two names or profiles',
})

/** A record that is similar to the one being added. */
export const Similar = z.object({
  id: z.uuid(),
  name: z.string(),
  picture: z.string().nullable().meta({ description: 'The address of its picture here' }),
  title: z.string().nullable().meta({ description: 'Of a founder' }),
  company: z.string().nullable().meta({ description: 'Of a founder' }),
  facts: z.string().nullable().meta({ description: 'Industry, place and employees of a company, in one line' }),
  reason: DuplicateReason,
  isCertain,
  firstFinder: z.string().nullable().meta({ description: 'The first finder, null when unknown' }),
  finders: FinderSummary,
  isMine: z.boolean().meta({ description: 'Whether the caller is the first finder' }),
  foundAt: z.iso.datetime(),
})
export type Similar = z.infer<typeof Similar>

/** The query of the pairs of one kind. */
export const DuplicatesQuery = z.object({
  kind: z.enum(kindNames, { error: `Kind must be one of ${kindNames.join(', ')}` }),
  limit: listQueryParts.limit,
  cursor: listQueryParts.cursor,
})

/** A pair that may be one record, with each record as in its list. */
export const duplicatePair = <Record extends z.ZodType>(record: Record) =>
  z.object({ a: record, b: record, reasons: z.array(DuplicateReason), isCertain })

/** Marks two records as not the same, for everyone. */
export const NotTheSame = z
  .object({ a: RecordId, b: RecordId })
  .refine(({ a, b }) => a !== b, { error: 'These are one record', path: ['b'] })
export type NotTheSame = z.infer<typeof NotTheSame>
