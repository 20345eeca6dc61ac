import { z } from 'zod'
import { kindShape } from './kind-shape.ts'
import { RecordId } from './record.ts'
import { weekPartNames } from './week-parts.ts'
import { isWeek } from './weeks.ts'

/** The number of records that the page names beside a number. */
export const WEEK_SHOWN = 10

export const NO_WEEK = 'There is no such week. Name one such as 2026-W48'
export const WeekParams = z.object({
  week: z.string().refine(isWeek, { error: NO_WEEK }),
})

const Group = z.object({
  part: z.enum(weekPartNames),
  kind: kindShape,
  name: z.string().nullable().meta({ description: 'The stage, the reason or the fellow. Null: without one' }),
  count: z.int(),
  cohort: z.string().meta({ description: 'The filter of a list that shows exactly these records' }),
  records: z
    .array(
      z.object({
        id: RecordId,
        name: z.string(),
        number: z.int().nullable().meta({ description: 'The spread, or the days that the step is late' }),
      }),
    )
    .max(WEEK_SHOWN),
})
export type WeekGroup = z.infer<typeof Group>

export const Week = z.object({
  week: z.string(),
  from: z.iso.date().meta({ description: 'Its Monday. Weeks and days are in UTC' }),
  until: z.iso.date().meta({ description: 'Its Sunday' }),
  isRunning: z.boolean().meta({ description: 'Only the running week has late next steps' }),
  at: z.iso.datetime().meta({ description: 'When it was read: the numbers are as of then' }),
  groups: z.array(Group).meta({ description: 'Only those with records, in the order of the parts' }),
})
export type Week = z.infer<typeof Week>
