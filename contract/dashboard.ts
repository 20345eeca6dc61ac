import { z } from 'zod'
import { Founder } from './founder.ts'

export const RECENT_COUNT = 5

export const Dashboard = z.object({
  founders: z.number().int(),
  fellows: z
    .array(z.object({ createdBy: z.string().nullable(), founders: z.number().int() }))
    .meta({ description: 'One entry an account, most sourced first' }),
  recentFounders: z.array(Founder),
})
export type Dashboard = z.infer<typeof Dashboard>
