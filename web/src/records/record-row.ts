import type { z } from 'zod'
import type { recordParts } from '#contract/record.ts'

/** The fields that records of every kind have. */
export type RecordRow = z.infer<z.ZodObject<typeof recordParts>>
