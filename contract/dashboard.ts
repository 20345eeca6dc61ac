import { z } from 'zod'
import { Company } from './company.ts'
import { Founder } from './founder.ts'

const count = z.number().int()

export const Dashboard = z.object({
  founders: count,
  companies: count,
  fellows: z
    .array(z.object({ createdBy: z.string().nullable(), founders: count, companies: count }))
    .meta({ description: 'One entry an account, most sourced first' }),
  recentFounders: z.array(Founder),
  recentCompanies: z.array(Company),
})
export type Dashboard = z.infer<typeof Dashboard>
