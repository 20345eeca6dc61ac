import { parseArgs } from 'node:util'

const SIZES = [10_000, 100_000, 1_000_000]
const LARGE = 100_000
/** Only large enough to show that everything still runs, without the many pairs of filters. */
const SMALL = { sizes: [100], embedded: 0, seconds: 0, matching: 100, rows: 100, withWeb: false, only: '^[^+]+$' }

/**
 * The arguments. `--matching` measures the matching of names, `--import` measures imports, `--finding` record
 * pages, filters and searches; the default measures calls.
 * The others set the number of founders of each database, the rows per file, the duration of each call, the calls, and
 * the JSON file for the figures.
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
      finding: { type: 'boolean' },
      rows: { type: 'string' },
    },
  })
  const {
    small: isSmall = false,
    founders,
    only,
    json: file,
    matching = false,
    import: imports = false,
    finding = false,
  } = values
  const isPart = matching || imports || finding
  const isMeasured = (part: boolean) => part || (isSmall && !isPart)
  return {
    parts: {
      calls: !isPart,
      matching: isMeasured(matching),
      imports: isMeasured(imports),
      finding: isMeasured(finding),
    },
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
