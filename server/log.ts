import type { FastifyBaseLogger } from 'fastify'

/** What the product asks of a log. */
export type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error' | 'fatal'>
