import { parseArgs } from 'node:util'

const SIZES = [10_000, 100_000, 1_000_000]
const LARGE = 100_000
/** So small that it only shows that everything still runs. */
const SMALL = { sizes: [100], embedded: 0, seconds: 0, matching: 100, rows: 100, withWeb: false }

/**
 * What is measured: calls, unless `--matching` or `--import` asks for the matching of names or for imports. How many
 * founders each database has, how many rows a file, how long each call is measured, which calls, and the JSON file for the
 * figures.
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
      import: { type: 'boolean' },
      rows: { type: 'string' },
    },
  })
  const { small: isSmall = false, founders, only, json: file, matching = false, import: imports = false } = values
  const isPart = matching || imports
  return {
    parts: { calls: !isPart, matching: matching || (isSmall && !isPart), imports: imports || (isSmall && !isPart) },
    sizes: founders?.map(Number) ?? SIZES,
    embedded: Number(values.embedded ?? LARGE),
    seconds: Number(values.seconds ?? 3),
    matching: Number(founders?.[0] ?? LARGE),
    rows: Number(values.rows ?? LARGE),
    withWeb: only === undefined,
    ...(isSmall && SMALL),
    file,
    only,
  }
}
