import { expect, it } from 'vitest'
import { bothReadings } from './dates.ts'

it.each(['03/04/2026', '3.4.26', '03-04-2026', '03/04/2026 10:20'])('%s can be 3 April and 4 March', (example) => {
  expect(bothReadings(example)).toEqual({ dayFirst: '3 April 2026', monthFirst: '4 March 2026' })
})

it.each(['', '2026-04-03', 'Friday'])('%j has no two readings', (example) => {
  expect(bothReadings(example)).toBeUndefined()
})
