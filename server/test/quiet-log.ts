import { pino } from 'pino'

/** A log for tests: what would be printed is not what they look at. */
export const quietLog = pino({ level: 'silent' })
