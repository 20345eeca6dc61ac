import { parseArgs } from 'node:util'
import { StartupError } from '#server/startup-error.ts'
import type { WorldSize } from './large-world.ts'

const MOST = { founders: 10_000_000, companies: 10_000_000, notes: 50_000_000, fellows: 2_000 }
const FOUNDERS = 10_000
const FELLOWS = 40

/** The size of the large world from the flags; undefined without flags. Missing values are in proportion. */
export function readSize(args: string[]): WorldSize | undefined {
  if (args.length === 0) return undefined
  const given = readFlags(args)
  const number = (name: keyof WorldSize, least: number, fallback: number) => {
    const value = given[name] === undefined ? fallback : wholeNumber(given[name])
    if (value >= least && value <= MOST[name]) return value
    throw new StartupError(`--${name} must be a whole number from ${least} to ${MOST[name].toLocaleString('en')}.`)
  }
  const founders = number('founders', 0, FOUNDERS)
  const companies = number('companies', 0, Math.round(founders / 5))
  const notes = number('notes', 0, 2 * founders)
  const fellows = number('fellows', 1, FELLOWS)
  if (notes > 0 && founders + companies === 0) throw new StartupError('Notes need founders or companies to be about.')
  return { founders, companies, notes, fellows }
}

const wholeNumber = (text: string) => (/^\d+$/.test(text) ? Number(text) : Number.NaN)

const flag = { type: 'string' } as const

function readFlags(args: string[]) {
  try {
    return parseArgs({ args, options: { founders: flag, companies: flag, notes: flag, fellows: flag } }).values
  } catch {
    throw new StartupError(
      'The seed takes --founders, --companies, --notes and --fellows, each with a number, and nothing else.',
    )
  }
}
