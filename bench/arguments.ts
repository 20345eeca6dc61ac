import { parseArgs } from 'node:util'

const SIZES = [10_000, 100_000, 1_000_000]
const EMBEDDED = 100_000
const MATCHING = 100_000
/** So small that it only shows that everything still runs. */
const SMALL = { sizes: [100, 200], embedded: 100, seconds: 0, matching: 200 }

/**
 * How many founders each database has, how long each call is measured, which calls, and the JSON file for the figures.
 * With `--matching` only the matching of names is measured, among the given number of founders.
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
  if (values.small) {
    return { ...SMALL, ...(values.matching && { sizes: [] }), file: values.json, only: values.only, withWeb: false }
  }
  const founders = values.founders?.map(Number)
  return {
    sizes: values.matching ? [] : (founders ?? SIZES),
    embedded: Number(values.embedded ?? EMBEDDED),
    seconds: Number(values.seconds ?? 3),
    file: values.json,
    only: values.only,
    withWeb: values.only === undefined,
    matching: values.matching ? (founders?.[0] ?? MATCHING) : 0,
  }
}
