import { parseArgs } from 'node:util'

const SIZES = [10_000, 100_000, 1_000_000]
const EMBEDDED = 100_000
const MATCHING = 100_000
/** So small that it only shows that everything still runs. */
const SMALL = { sizes: [100, 200], embedded: 100, seconds: 0 }

/**
 * How many founders each database has, how long each call is measured, which calls, and the JSON file for the figures.
 * With `--matching` the matching of names is measured instead, among so many founders.
 */
export function readSize(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      small: { type: 'boolean' },
      founders: { type: 'string', multiple: true },
      embedded: { type: 'string' },
      seconds: { type: 'string' },
      json: { type: 'string' },
      only: { type: 'string' },
      matching: { type: 'boolean' },
    },
  })
  const matching = values.matching ? Number(values.founders?.[0] ?? (values.small ? 2000 : MATCHING)) : undefined
  if (values.small) return { ...SMALL, file: values.json, only: values.only, withWeb: false, matching }
  return {
    sizes: values.founders?.map(Number) ?? SIZES,
    embedded: Number(values.embedded ?? EMBEDDED),
    seconds: Number(values.seconds ?? 3),
    file: values.json,
    only: values.only,
    withWeb: values.only === undefined,
    matching,
  }
}
