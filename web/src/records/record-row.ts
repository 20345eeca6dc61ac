import type { z } from 'zod'
import type { recordParts } from '#contract/record.ts'

/** What every record on the page has, whatever its kind. */
export type RecordRow = z.infer<z.ZodObject<typeof recordParts>>
