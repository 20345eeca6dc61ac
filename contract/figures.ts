import { z } from 'zod'
import { kindShape } from './kind-shape.ts'
import { type KindName, kindNames, kinds } from './kinds.ts'
import { TOO_FEW } from './limits.ts'
import type { QualityKind } from './quality-kinds.ts'

const kind = kindShape.default(kinds[0].name)

export const FiguresQuery = z.object({
  kind,
  period: z.enum(['quarter', 'month'], { error: 'Period must be quarter or month' }).default('quarter'),
})
export type FiguresQuery = z.infer<typeof FiguresQuery>

export const MyFiguresQuery = z.object({ kind })

const cohort = z.string().meta({ description: 'The filter of a list that shows exactly these records' })

/** A number of records. */
const Count = z.object({ count: z.int(), cohort })
export type FigureCount = z.infer<typeof Count>

/** A number of records among others. */
const Share = z.object({
  ...Count.shape,
  of: z.int(),
  share: z
    .number()
    .nullable()
    .meta({ description: `From 0 to 1. Null with a denominator under ${TOO_FEW}: too few` }),
})
export type Share = z.infer<typeof Share>

const Named = z.object({ id: z.guid(), name: z.string() })
const ofStage = { stage: Named }

const days = z
  .number()
  .nullable()
  .meta({ description: `Days. Null for under ${TOO_FEW} records: too few` })

/** What became of records. */
const outcomes = { reached: z.array(Share.extend(ofStage)), advanced: Share, passed: Share }

const Added = z.object({
  period: z.string().nullable().meta({ description: '`2026-Q3` or `2026-07`, in UTC. Null: of all times' }),
  added: Count,
  ...outcomes,
  noted: Share.meta({ description: 'With a note by someone other than the creator' }),
  daysToNote: days.meta({ description: 'The median of the days until the first such note. Null: too few' }),
})

const Worked = z.object({
  period: z.string(),
  worked: Count.meta({ description: 'Added, moved into a stage for the first time, or decided in the period' }),
  added: Share,
  ...outcomes,
})

const TimeInStage = Count.extend({
  ...ofStage,
  days: days.meta({ description: 'The median of the sums of their stays. Null: too few' }),
})

/** What became of the records that were rated 8 to 10 when they were added by hand. */
const Calibration = z.object({ rated: Count, advanced: Share, passed: Share })
export type Calibration = z.infer<typeof Calibration>

export const Figures = z.object({
  added: z.array(Added).meta({ description: 'By the date added: all, then the newest periods first' }),
  worked: z.array(Worked).meta({ description: 'By what happened in a period, the newest first' }),
  timeInStage: z.array(TimeInStage).meta({ description: 'Of records whose time in the stage has ended' }),
  programme: Calibration,
  fellows: z
    .array(Calibration.extend({ fellow: Named.nullable() }))
    .meta({ description: 'By creator, most records first. Records without a known creator are one entry, null' }),
})
export type Figures = z.infer<typeof Figures>

export const MyFigures = z.object({
  found: Count.meta({ description: 'That the caller has found, first or also' }),
  ...outcomes,
  reasons: z
    .array(Count.extend({ reason: Named.nullable() }))
    .meta({ description: 'Of the passed ones, most first. Null: without a reason' }),
  calibration: Calibration,
})
export type MyFigures = z.infer<typeof MyFigures>

const ByKind = z.object(Object.fromEntries(kindNames.map((name) => [name, z.int()])) as Record<KindName, z.ZodInt>)

/** How many records lack something. Each number is that of the list with the filter `quality`. */
export const Quality = z.object({
  unmatched: ByKind.meta({ description: 'No value from public data' }),
  unnoted: ByKind.meta({ description: 'Added over 14 days ago, without a note of a fellow' }),
  duplicate: ByKind.meta({ description: 'In a pair that may be one record' }),
  overdue: ByKind.meta({ description: 'Longer in their stage than its limit' }),
  unassigned: ByKind.meta({ description: 'Without a responsible fellow: the filter `responsible=none`' }),
} satisfies Record<QualityKind | 'unassigned', z.ZodType>)
export type Quality = z.infer<typeof Quality>
