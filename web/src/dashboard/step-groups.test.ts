import { describe, expect, it } from 'vitest'
import { groupOf, SHOWN_FIRST, shownSteps } from './step-groups.ts'

const now = new Date(2026, 11, 28, 23, 30)
const on = (nextOn: string) => ({ nextOn })

describe('My next steps', () => {
  it('are late, today, in the next seven days, and later', () => {
    const days = ['2026-12-27', '2026-12-28', '2026-12-29', '2027-01-04', '2027-01-05']
    expect(days.map((day) => groupOf(on(day), now))).toEqual(['late', 'today', 'soon', 'soon', 'later'])
  })

  it('are at first the soonest of those within seven days, and all on request', () => {
    const late = Array.from({ length: SHOWN_FIRST + 2 }, () => on('2026-12-01'))
    expect(shownSteps([on('2026-12-28'), on('2027-02-01')], false, now)).toEqual([on('2026-12-28')])
    expect(shownSteps([...late, on('2027-02-01')], false, now)).toHaveLength(SHOWN_FIRST)
    expect(shownSteps([...late, on('2027-02-01')], true, now)).toHaveLength(SHOWN_FIRST + 3)
  })
})
