import type { FindingReport } from './finding.ts'
import type { Measured } from './load.ts'

const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0))
const times = ({ p99, list }: { p99: number; list: Measured }) => (p99 / list.p99).toFixed(1)

/** Prints the figures as the tables of docs/performance.md. */
export function printFinding(reports: FindingReport[], say: (line: string) => void) {
  const databases = reports.map(({ database }) => database)
  say(
    `\n### Record pages and finding, ten accounts: p50 and p99 in ms, and p99 as a multiple of that of the plain list\n`,
  )
  say(`| Call | ${databases.join(' | ')} |\n|---|${'---|'.repeat(databases.length)}`)
  for (const { name } of reports[0]?.calls ?? []) {
    const cells = reports.map(({ calls }) => {
      const call = calls.find((call) => call.name === name)
      return call ? `${ms(call.p50)}, ${ms(call.p99)}, ${times(call)}` : ''
    })
    say(`| ${[name, ...cells].join(' | ')} |`)
  }
  const palettes = reports.map(({ palette }) => (palette ? `${ms(palette.median)}, ${ms(palette.longest)}` : ''))
  say(`| palette in a browser: median and longest | ${palettes.join(' | ')} |`)
  const handOvers = reports.map(({ handOver: { records, ms } }) => `${records} in ${(ms / 1000).toFixed(1)} s`)
  say(`| records handed over | ${handOvers.join(' | ')} |`)
  for (const report of reports) printPairs(report, say)
}

/** A table of all pairs, with each filter alone on its diagonal. */
function printPairs({ database, selections }: FindingReport, say: (line: string) => void) {
  const names = selections.flatMap(({ parts }) => (parts.length === 1 ? parts : []))
  const lists = selections.map(({ list }) => list.p99).sort((a, b) => a - b)
  say(
    `\n### Filters, sorts and searches alone and in pairs, ${database}: p99 in ms, and as a multiple of that of the plain list, which took ${ms(lists[0] ?? 0)} to ${ms(lists.at(-1) ?? 0)}\n`,
  )
  say(`| | ${names.join(' | ')} |\n|---|${'---|'.repeat(names.length)}`)
  for (const row of names) {
    const cells = names.map((column) => {
      const pair = selections.find(({ name }) => name === (row === column ? row : `${row} + ${column}`))
      return pair ? `${ms(pair.p99)}, ${times(pair)}` : ''
    })
    say(`| ${[row, ...cells].join(' | ')} |`)
  }
  const far = selections
    .filter(({ p99, list }) => p99 > 3 * list.p99)
    .sort((a, b) => b.p99 / b.list.p99 - a.p99 / a.list.p99)
  say(
    `\nOver three times the plain list: ${far.map((one) => `${one.name} (${one.kind}) ${times(one)}`).join(', ') || 'none'}.`,
  )
}
