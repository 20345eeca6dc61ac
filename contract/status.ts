// The statuses of a record in the pipeline. This file has no schemas, so that a list renders before the page has loaded zod.

/** Apart from the stage, so that a record that was passed keeps the stage in which it was passed. */
export const statusWords = { active: 'Active', on_hold: 'On hold', passed: 'Passed', advanced: 'Advanced' } as const

/** What is said of a record without a stage. */
export const NOT_STARTED = 'Not started'

export type Status = keyof typeof statusWords

export const statuses = Object.keys(statusWords) as Status[]

/** The months after which a record that was passed may be looked at again. */
export const lookAgainMonths = [3, 6, 12] as const

/** Whether a record with this status spends time in its stage. */
export const isTimed = (status: Status) => status === 'active' || status === 'on_hold'

/** Whether a change sets the status advanced or takes it back. */
export const isAdvance = (from: Status, to: Status): boolean => from !== to && [from, to].includes('advanced')
