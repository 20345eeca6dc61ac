import { z } from 'zod'
import { NextStepCounts, ViewerQuery } from './board.ts'
import { Company } from './company.ts'
import { Founder } from './founder.ts'
import { type Kind, kinds } from './kinds.ts'
import { WEEK_COUNT_MAX } from './limits.ts'

const count = z.number().int()

export const DashboardQuery = ViewerQuery

const counts = Object.fromEntries(kinds.map(({ path }) => [path, count])) as Record<Kind['path'], typeof count>

export const Dashboard = z.object({
  ...counts,
  fellows: z
    .array(z.object({ createdBy: z.string().nullable(), ...counts }))
    .meta({ description: 'One entry per account, highest total first' }),
  week: z.object(counts).meta({ description: `Added in the last seven days; ${WEEK_COUNT_MAX} at most are counted` }),
  nextSteps: NextStepCounts.optional().meta({ description: 'Absent while none is late or due today' }),
  recentFounders: z.array(Founder),
  recentCompanies: z.array(Company),
})
export type Dashboard = z.infer<typeof Dashboard>
