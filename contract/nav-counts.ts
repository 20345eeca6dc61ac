import { z } from 'zod'
import { NAV_COUNT_MAX } from './limits.ts'

/** The numbers beside the entries of the navigation. */
export const NavCounts = z.object({
  duplicates: z.int().describe(`Pairs that may be one record, at most ${NAV_COUNT_MAX}`),
  waiting: z
    .int()
    .optional()
    .describe(`Accounts that wait for approval, at most ${NAV_COUNT_MAX}. Only for who runs the programme`),
})
export type NavCounts = z.infer<typeof NavCounts>
