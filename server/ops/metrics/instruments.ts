// The text format of Prometheus (version 0.0.4) and the three instruments that the product needs, instead of a package.

type Labels = Record<string, string>
type Kind = 'counter' | 'gauge' | 'histogram'
type Sample = { suffix?: string; labels?: Labels; value: number }

export type Instruments = ReturnType<typeof createInstruments>

export function createInstruments() {
  const families: { name: string; help: string; kind: Kind; read: () => Sample[] | Promise<Sample[]> }[] = []

  return {
    /** Counts up. Labels passed to `add` distinguish its series. */
    counter(name: string, help: string) {
      const values = new Map<string, { labels: Labels; value: number }>()
      families.push({ name, help, kind: 'counter', read: () => [...values.values()] })
      return {
        add(labels: Labels) {
          const value = ofLabels(values, labels, () => ({ labels, value: 0 }))
          value.value += 1
        },
      }
    },

    /** Reads its value on each scrape; none when `read` throws. */
    gauge(name: string, help: string, read: () => Sample[] | Promise<Sample[]>, kind: 'gauge' | 'counter' = 'gauge') {
      families.push({ name, help, kind, read })
    },

    histogram(name: string, help: string, buckets: number[]) {
      const series = new Map<string, { labels: Labels; counts: number[]; sum: number; count: number }>()
      const read = () => [...series.values()].flatMap((one) => samplesOf(one, buckets))
      families.push({ name, help, kind: 'histogram', read })
      return {
        observe(seconds: number, labels: Labels = {}) {
          const one = ofLabels(series, labels, () => ({ labels, counts: buckets.map(() => 0), sum: 0, count: 0 }))
          const bucket = buckets.findIndex((limit) => seconds <= limit)
          if (bucket >= 0) one.counts[bucket] = (one.counts[bucket] ?? 0) + 1
          one.sum += seconds
          one.count += 1
        },
      }
    },

    async text(): Promise<string> {
      const parts: string[] = []
      for (const { name, help, kind, read } of families) {
        const samples = await Promise.resolve()
          .then(read)
          .catch(() => [])
        parts.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`)
        for (const { suffix = '', labels, value } of samples) parts.push(`${name}${suffix}${inBraces(labels)} ${value}`)
      }
      return `${parts.join('\n')}\n`
    },
  }
}

function ofLabels<Value>(values: Map<string, Value>, labels: Labels, make: () => Value): Value {
  const key = Object.values(labels).join('\0')
  const known = values.get(key)
  if (known !== undefined) return known
  const made = make()
  values.set(key, made)
  return made
}

/** Buckets are cumulative: each counts everything up to its bound. */
function samplesOf(one: { labels: Labels; counts: number[]; sum: number; count: number }, buckets: number[]): Sample[] {
  let within = 0
  const filled = buckets.map((limit, index) => {
    within += one.counts[index] ?? 0
    return { suffix: '_bucket', labels: { ...one.labels, le: String(limit) }, value: within }
  })
  return [
    ...filled,
    { suffix: '_bucket', labels: { ...one.labels, le: '+Inf' }, value: one.count },
    { suffix: '_sum', labels: one.labels, value: one.sum },
    { suffix: '_count', labels: one.labels, value: one.count },
  ]
}

const inBraces = (labels: Labels = {}) => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${quoted(value)}"`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

const quoted = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
