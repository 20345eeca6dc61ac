import type { Report, SizeReport } from './report.ts'

/** Two runs whose limits differ more are of machines, or of moments, that cannot be compared. */
const DIFFERENCE_MAX = 0.1

type Calls = SizeReport['calls']

/** The calls of the largest PostgreSQL whose limit was measured, by name. */
const limited = ({ sizes }: Report) =>
  new Map(
    (sizes.at(-1)?.calls ?? []).flatMap((call) => (call.limit ? [[call.name, { ...call, limit: call.limit }]] : [])),
  )

/** Prints how an earlier run differs in its shares of the limit. Throws when the limits themselves differ. */
export function printComparison(earlier: Report, report: Report, say: (line: string) => void): void {
  const before = limited(earlier)
  const both = [...limited(report).values()].flatMap((now) => {
    const then = before.get(now.name)
    return then ? [{ name: now.name, then, now }] : []
  })
  const differing = both.filter(({ then, now }) => Math.abs(now.limit.rate / then.limit.rate - 1) > DIFFERENCE_MAX)
  if (differing.length > 0) {
    const names = differing.map(({ name }) => name).join(', ')
    throw new Error(`The runs cannot be compared: their limits differ by more than a tenth (${names})`)
  }
  say('\n| Call | Share of the limit then | Now |\n|---|---|---|')
  const shareOf = ({ ours, limit }: Required<Calls[number]>) => (ours.rate / limit.rate).toFixed(2)
  for (const { name, then, now } of both) say(`| ${name} | ${shareOf(then)} | ${shareOf(now)} |`)
}
