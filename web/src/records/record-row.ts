import type { z } from 'zod'
import type { recordParts } from '#contract/record.ts'
import type { SecondaryMatch } from '#contract/secondary-match.ts'

/** The fields that records of every kind have. */
export type RecordRow = z.infer<z.ZodObject<typeof recordParts>>

/** A record of a search beyond the exact one, and where the term was found in it. */
export type FoundRow = RecordRow & { mention?: SecondaryMatch }
