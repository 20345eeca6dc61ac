import { pino } from 'pino'

/** A log that prints nothing, for tests that do not check the log. */
export const quietLog = pino({ level: 'silent' })
