/**
 * How much each suite does: a little in `npm test`, to see that it still works, and much in `npm run test:long`. A number
 * in the environment, such as `ROUNDS=5`, goes before both.
 */
const isLong = process.env.LONG === '1'

const size = (name: string, short: number, long: number) => Number(process.env[name] ?? (isLong ? long : short))

export const ROUNDS = size('ROUNDS', 3, 200)
export const POWER_CUTS = size('POWER_CUTS', 4, 500)
export const REQUESTS = size('REQUESTS', 1_000, 10_000)
export const RESTARTS = size('RESTARTS', 1, 4)
export const MINUTES = size('MINUTES', 0.1, 60)
/** Founders that are there already while the minutes pass. */
export const SEED = size('SEED', 1_000, 100_000)

/** For a whole suite, whatever its size. */
export const PATIENCE_MS = isLong ? 4 * 3_600_000 : 300_000

/** A bound on time, kept to where the machine is for this alone; elsewhere it only tells slow from never. */
export const within = (ms: number) => (isLong ? ms : ms * 6)

/** The one line that a suite leaves, shown among the results. */
export const printLine = (line: string) => process.stdout.write(`${line}\n`)

export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
export const many = (number: number) => number.toLocaleString('en')
