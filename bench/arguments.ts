import { parseArgs } from 'node:util'

const SIZES = [10_000, 100_000, 1_000_000]
const LARGE = 100_000
/** Only large enough to show that everything still runs, without the many pairs of filters. */
const SMALL = { sizes: [100], embedded: 0, seconds: 0, matching: 100, rows: 100, withWeb: false, only: '^[^+]+$' }

/**
 * The arguments. `--matching` measures the matching of names, `--import` measures imports, `--finding` record
 * pages, filters and searches, `--against` compares with an earlier commit; the default measures calls.
 * `--compare` names the JSON file of an earlier run, whose shares of the limit are printed beside those of this one.
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
      against: { type: 'string' },
      compare: { type: 'string' },
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
    against,
    compare,
  } = values
  const isPart = matching || imports || finding || against !== undefined
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
    /** The earlier commit, the number of founders, and whether both run on databases of their own in folders. */
    against: against !== undefined && {
      commit: against,
      founders: Number(values.embedded ?? founders?.[0] ?? LARGE),
      isEmbedded: values.embedded !== undefined,
    },
    seconds: Number(values.seconds ?? 3),
    matching: Number(founders?.[0] ?? LARGE),
    rows: Number(values.rows ?? LARGE),
    withWeb: only === undefined,
    ...(isSmall && SMALL),
    file,
    compare,
    only,
  }
}
