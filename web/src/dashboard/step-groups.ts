import type { NextStep } from '#contract/board.ts'
import { dayHere } from '#web/lib/dates.ts'

/** The rows of the list before *All*, so that the dashboard stays in sight. */
export const SHOWN_FIRST = 8
const DAYS_AHEAD = 7

export const stepGroups = ['late', 'today', 'soon', 'later'] as const
export type StepGroup = (typeof stepGroups)[number]

export const groupTitles: Record<StepGroup, string> = {
  late: 'Late',
  today: 'Today',
  soon: 'Next seven days',
  later: 'Later',
}

/** When a step is due, as the viewer's days count. */
export function groupOf({ nextOn }: Pick<NextStep, 'nextOn'>, now = new Date()): StepGroup {
  const today = dayHere(now)
  const last = dayHere(new Date(now.getFullYear(), now.getMonth(), now.getDate() + DAYS_AHEAD))
  if (nextOn < today) return 'late'
  if (nextOn === today) return 'today'
  return nextOn <= last ? 'soon' : 'later'
}

/** The rows to show, soonest first: the first few of those that are due within seven days, or all. */
export function shownSteps<Step extends Pick<NextStep, 'nextOn'>>(steps: Step[], isAll: boolean, now = new Date()) {
  const due = steps.filter((step) => groupOf(step, now) !== 'later')
  return isAll ? steps : due.slice(0, SHOWN_FIRST)
}
