import { describe, expect, it } from 'vitest'
import { limitPassed, noPipeline, stayWords } from './words.ts'

describe('The time in a stage', () => {
  it('is in whole days, and never names a day', () => {
    expect([0, 1, 12].map(stayWords)).toEqual([
      ...['Less than a day in this stage', '1 day in this stage', '12 days in this stage'],
    ])
  })

  it('passes a limit when the figure of records over their limit counts it: after as many days', () => {
    const met = { id: 'met', name: 'Met' }
    const stages = [{ ...met, position: 1, archived: false, limitDays: 5 }]
    const passed = (daysInStage: number) => limitPassed({ ...noPipeline, stage: met, daysInStage }, stages)
    expect([4, 5, 6].map(passed)).toEqual([undefined, 5, 5])
  })
})
