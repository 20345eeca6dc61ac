import type { FastifyBaseLogger } from 'fastify'
import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino'
import { sqlState } from './sql-state.ts'

/** The part of a log that the product uses. */
export type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error' | 'fatal'>

/** The log, on standard error: sentences at a terminal, else lines of JSON. */
export const createLog = (
  level: LevelWithSilent,
  destination: DestinationStream = process.stderr.isTTY ? asSentences(process.stderr) : asJson(),
): Logger => pino({ level, serializers: { err: describeError } }, destination)

/** Written synchronously, so that the last line before a crash is not lost. */
const asJson = () => pino.destination({ dest: 2, sync: true })

/** For a terminal: the sentence of each line, its other fields, and the frames of an error. */
export const asSentences = (terminal: DestinationStream): DestinationStream => ({
  write(line) {
    const { level, time, pid, hostname, msg, err, ...more } = JSON.parse(line)
    const details = Object.keys(more).length > 0 ? ` ${JSON.stringify(more)}` : ''
    terminal.write(`${msg}${details}\n${err ? `${printDescribed(err)}\n` : ''}`)
  },
})

type Described = {
  type: string
  message: string
  code?: unknown
  table?: unknown
  constraint?: unknown
  stack: string
  cause?: Described
}

const DEEPEST_CAUSE = 5

/**
 * The loggable part of an error: its type, message, code and frames. Leaves out what people typed, which databases and
 * drivers include in errors: the values of a statement, the row in a `detail`, the text that could not be parsed.
 */
function describeError(error: unknown, depth = 0): Described {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'A value that is not an error was thrown', stack: '' }
  const { code, table, constraint } = error as { code?: unknown; table?: unknown; constraint?: unknown }
  return {
    type: error.name,
    message: messageOf(error),
    ...(code !== undefined && { code }),
    ...(table !== undefined && { table }),
    ...(constraint !== undefined && { constraint }),
    stack: (error.stack ?? '').split('\n').filter(isFrame).join('\n'),
    ...(error.cause !== undefined && depth < DEEPEST_CAUSE && { cause: describeError(error.cause, depth + 1) }),
  }
}

/** The same, for a terminal. */
export const printError = (error: unknown): string => printDescribed(describeError(error))

function printDescribed({ type, message, stack, cause }: Described): string {
  return [`${type}: ${message}`, stack, ...(cause ? [`Caused by ${cause.type}: ${cause.message}`] : [])].join('\n')
}

const isFrame = (line: string) => /^\s+at /.test(line)

function messageOf(error: Error): string {
  if ('query' in error && 'params' in error) return `Failed query: ${error.query}`
  // "Invalid input syntax for …" and "unexpected token … in JSON" quote the input.
  const isAboutGivenText = error instanceof SyntaxError || sqlState(error)?.startsWith('22')
  return isAboutGivenText ? error.message.replaceAll(/(["']).*\1/gs, '…') : error.message
}
