import { z } from 'zod'
import { EMAIL_MAX, NAME_MAX, URL_MAX } from './limits.ts'
import { optionalText, requiredLine } from './text.ts'

/** The results of one search. Further ones are not listed. */
export const HITS_MAX = 500
export const NAMES_MAX = 20

/** A person, by any of these. */
export const PersonSearch = z
  .object({
    names: z
      .array(requiredLine('A name', NAME_MAX), { error: 'Names must be a list' })
      .max(NAMES_MAX, { error: `Enter at most ${NAMES_MAX} names` })
      .meta({ description: 'The name in each of its spellings. Accents and the order of words do not matter' }),
    linkedIn: optionalText('LinkedIn profile', URL_MAX).optional(),
    email: optionalText('Email', EMAIL_MAX).optional(),
    comments: z.boolean({ error: 'Comments must be true or false' }).optional().meta({
      description:
        'Whether comments of opinions are results. The caller then counts as having read the opinions of their records. Otherwise they are one number',
    }),
  })
  .refine(({ names, linkedIn, email }) => names.length > 0 || linkedIn || email, {
    error: 'Enter a name, a LinkedIn profile or an email address',
    path: ['names'],
  })
export type PersonSearch = z.infer<typeof PersonSearch>

const ref = z.string().max(500).meta({ description: 'Names a result for the report and the erasure' })

/** A record of the person, or a value elsewhere in which the search found them. */
export const PersonHit = z.object({
  ref,
  where: z.string().meta({ description: 'In words, such as the record that a note is on' }),
  kind: z.string().meta({ description: '`record`, or the table of a value elsewhere' }),
  excerpt: z.string(),
  at: z.iso.datetime().nullable(),
  comments: z.int().optional().meta({
    description: 'The number of comments of opinions, over all records, while they are not shown. It has no `ref`',
  }),
  hasAddress: z.boolean().optional().meta({
    description: 'Of a record: whether it has a LinkedIn profile or an email address that an erasure remembers',
  }),
})
export type PersonHit = z.infer<typeof PersonHit>

const refs = z
  .array(ref, { error: 'Choose what belongs to the person' })
  .min(1, { error: 'Choose what belongs to the person' })
  .max(HITS_MAX, { error: `Choose at most ${HITS_MAX} results` })

export const ReportInput = z.object({ refs })

/** Everything held on a person, by table. Other people are named by their role. */
export const AccessReport = z.object({
  createdAt: z.iso.datetime(),
  records: z.array(z.object({ id: z.uuid(), kind: z.string(), name: z.string() })),
  tables: z.array(
    z.object({
      table: z.string(),
      label: z.string(),
      rows: z.array(z.record(z.string(), z.unknown())),
    }),
  ),
})
export type AccessReport = z.infer<typeof AccessReport>

export const ERASURE_REASONS = ['asked', 'objected', 'no_ground', 'other'] as const
export type ErasureReason = (typeof ERASURE_REASONS)[number]

export const EraseInput = z.object({
  refs,
  reason: z.enum(ERASURE_REASONS, { error: 'Choose a reason' }),
  doNotKeep: z
    .object(
      {
        linkedIn: optionalText('LinkedIn profile', URL_MAX).optional(),
        email: optionalText('Email', EMAIL_MAX).optional(),
      },
      { error: 'Enter a LinkedIn profile or an email address' },
    )
    .optional()
    .meta({ description: 'Addresses that are not to be kept again, beside those of the records' }),
})
export type EraseInput = z.infer<typeof EraseInput>

/** An export or a calendar file that may hold the person. */
export const PastExport = z.object({
  at: z.iso.datetime(),
  by: z.string().meta({ description: 'The address of the account. Empty: the operator' }),
  what: z.string(),
  filter: z.record(z.string(), z.unknown()),
})
export type PastExport = z.infer<typeof PastExport>

export const Erased = z.object({ erasureId: z.uuid(), exports: z.array(PastExport) })
export type Erased = z.infer<typeof Erased>
