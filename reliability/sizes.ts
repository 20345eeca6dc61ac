/**
 * The size of each suite: large in `npm run test:long`, small elsewhere: in `npm test`, where it runs there. A
 * variable of the environment, such as `ROUNDS=5`, overrides both.
 */
export const isLong = process.env.LONG === '1'

const size = (name: string, short: number, long: number) => Number(process.env[name] ?? (isLong ? long : short))

export const ROUNDS = size('ROUNDS', 2, 60)
/** The same where each round takes another database server. */
export const FAILOVERS = size('ROUNDS', 1, 20)
export const REQUESTS = size('REQUESTS', 1_000, 10_000)
export const RESTARTS = size('RESTARTS', 1, 4)
export const MINUTES = size('MINUTES', 0.05, 60)
/** Founders that exist before the measurement starts. */
export const SEED = size('SEED', 100, 100_000)

/** The share of its full size that a hostile file has. */
export const HOSTILE = size('HOSTILE', 0.2, 1)

/** The pause between two requests of one caller. A short run leaves processor time for parallel tests. */
export const REST_MS = size('REST_MS', 50, 0)

/** The time limit of a whole suite of any size. */
export const PATIENCE_MS = isLong ? 4 * 3_600_000 : 300_000

/** What a standby loses that no commit waits for, by `ASYNCHRONOUS=1`: it is counted, and is no failure. */
export const IS_ASYNCHRONOUS = process.env.ASYNCHRONOUS === '1'

/** A time limit, exact where the machine runs only this. Elsewhere it only separates slow from never. */
export const within = (ms: number) => (isLong ? ms : ms * 6)

/** Prints the one line of results of a suite. */
export const printLine = (line: string) => process.stdout.write(`${line}\n`)

export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
export const many = (number: number) => number.toLocaleString('en')
