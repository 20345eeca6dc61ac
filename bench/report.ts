import type { Measured } from './load.ts'
import type { ProcessesReport } from './processes.ts'
import type { WebReport } from './web.ts'

/** The results of one run, as written to JSON. */
export type Report = {
  at: string
  machine: string
  sizes: SizeReport[]
  embedded: SizeReport | undefined
  web: WebReport | undefined
}

export type SizeReport = {
  founders: number
  /** `ours` and `limit` at ten connections, `alone` at one. */
  calls: { name: string; ours: Measured; alone: Measured; limit?: Measured }[]
  startMs: number
  /** Memory of the process in MB: after the start, and at most under load. */
  restMb: number
  peakMb: number
  /** Creating records without a search index, on the largest database. */
  createWithoutSearch?: Measured
  /** Several processes on the largest database. */
  processes?: ProcessesReport
}

const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0))
const rate = (value: number) => value.toFixed(0)
const count = (value: number) => value.toLocaleString('en')

/** Prints the figures as the tables of docs/performance.md. */
export function printReport({ machine, sizes, embedded, web }: Report, say: (line: string) => void) {
  const [smallest, largest] = [sizes[0], sizes.at(-1)]
  say(`\n${machine}; ten connections\n`)
  if (smallest && largest) {
    say(`### PostgreSQL, ${count(largest.founders)} founders\n`)
    say(
      `| Call | Alone: p50 ms | p99 ms | Requests/s | p50 ms | p99 ms | Limit, requests/s | Share of the limit | p50 at ${count(smallest.founders)} | Growth |`,
    )
    say('|---|---|---|---|---|---|---|---|---|---|')
    for (const { name, ours, alone, limit } of largest.calls) {
      const before = smallest.calls.find((call) => call.name === name)?.ours
      say(
        `| ${[
          name,
          ms(alone.p50),
          ms(alone.p99),
          rate(ours.rate),
          ms(ours.p50),
          ms(ours.p99),
          limit ? rate(limit.rate) : '',
          limit ? (ours.rate / limit.rate).toFixed(2) : '',
          before ? ms(before.p50) : '',
          before ? `${(ours.p50 / before.p50).toFixed(2)} times, ${ms(ours.p50 - before.p50)} ms` : '',
        ].join(' | ')} |`,
      )
    }
    const create = largest.calls.find(({ name }) => name === 'create')?.ours
    if (largest.createWithoutSearch && create) {
      const share = create.rate / largest.createWithoutSearch.rate
      say(
        `\nCreating without any search index: ${rate(largest.createWithoutSearch.rate)}/s; with it ${share.toFixed(2)} of that.`,
      )
    }
  }
  if (embedded) {
    say(`\n### Embedded database, ${count(embedded.founders)} founders\n`)
    say('| Call | Alone: p50 ms | p99 ms | Requests/s | p50 ms | p99 ms |\n|---|---|---|---|---|---|')
    for (const { name, ours, alone } of embedded.calls)
      say(`| ${name} | ${ms(alone.p50)} | ${ms(alone.p99)} | ${rate(ours.rate)} | ${ms(ours.p50)} | ${ms(ours.p99)} |`)
  }
  say('\n### The process\n')
  say('| Database | Founders | Start ms | Memory at rest MB | Under load MB |\n|---|---|---|---|---|')
  const line = (database: string, { founders, startMs, restMb, peakMb }: SizeReport) =>
    say(`| ${database} | ${count(founders)} | ${startMs.toFixed(0)} | ${restMb.toFixed(0)} | ${peakMb.toFixed(0)} |`)
  for (const size of sizes) line('PostgreSQL', size)
  if (embedded) line('embedded', embedded)
  if (largest?.processes) tellProcesses(largest.processes, say)
  if (web) tellWeb(web, say)
}

function tellProcesses(processes: ProcessesReport, say: (line: string) => void) {
  const names = Object.keys(processes[0]?.calls ?? {})
  say('\n### More processes on the same cores, twenty connections in all\n')
  say(
    `| Processes | Connections of each to the database | Memory MB |${names.map((name) => ` ${name}/s | p99 ms |`).join('')}`,
  )
  say(`|---|---|---|${'---|---|'.repeat(names.length)}`)
  for (const { processes: count, pool, memoryMb, calls } of processes) {
    const figures = names.flatMap((name) => [rate(calls[name]?.rate ?? 0), ms(calls[name]?.p99 ?? 0)])
    say(`| ${[count, pool, memoryMb.toFixed(0), ...figures].join(' | ')} |`)
  }
}

function tellWeb({ visits, scroll }: WebReport, say: (line: string) => void) {
  say('\n### Each screen on a phone: 1.6 Mbit/s, 150 ms, processor slowed four times; medians\n')
  say(
    '| Screen | First visit s | Later visit s | JavaScript KB | CSS KB | Other KB | Requests | Later requests | Layout shift |',
  )
  say('|---|---|---|---|---|---|---|---|---|')
  for (const [path, visit] of Object.entries(visits)) {
    const seconds = [visit.coldMilliseconds, visit.warmMilliseconds].map((ms) => (ms / 1000).toFixed(2))
    const weights = [visit.scriptKilobytes, visit.styleKilobytes, visit.otherKilobytes].map((kb) => kb.toFixed(0))
    say(
      `| \`${path}\` | ${[...seconds, ...weights, visit.requests, visit.warmRequests, visit.layoutShift].join(' | ')} |`,
    )
  }
  say('\n### Scrolling through 10,000 founders\n')
  say('| Cards | Requests | JavaScript heap MB | Elements on the page |\n|---|---|---|---|')
  for (const { cards, requests, heapMegabytes, elements } of scroll.marks) {
    say(`| ${count(cards)} | ${requests} | ${heapMegabytes.toFixed(0)} | ${count(elements)} |`)
  }
  const share = (scroll.droppedShare * 100).toFixed(1)
  say(`\n${scroll.frames} frames, ${scroll.framesOver16} late, ${scroll.framesOver50} over 50 ms, ${share} % dropped.`)
}
