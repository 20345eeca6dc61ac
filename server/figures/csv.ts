import type { Calibration, FigureCount, Figures, MyFigures, Share } from '#contract/figures.ts'
import { csvFile } from '#server/audit-log/csv.ts'

// One figure a line: what, of which period, stage, reason or fellow, the numbers.

const HEAD = ['figure', 'period (UTC)', 'of', 'count', 'among', 'percent', 'median days']

type Line = [figure: string, period: string, of: string, count: number, ...more: (number | string)[]]

const percentOf = ({ share }: Share) => (share === null ? 'too few' : (share * 100).toFixed(1))
const daysOf = (days: number | null) => (days === null ? 'too few' : days.toFixed(1))
const ofShare = (share: Share) => [share.count, share.of, percentOf(share)] as const
const ofCount = ({ count }: FigureCount) => [count] as const

const calibrationLines = (of: string, { rated, advanced, passed }: Calibration): Line[] => [
  ['rated 8 to 10', '', of, ...ofCount(rated)],
  ['rated 8 to 10, advanced', '', of, ...ofShare(advanced)],
  ['rated 8 to 10, passed', '', of, ...ofShare(passed)],
]

const file = (lines: Line[]): string =>
  csvFile([HEAD, ...lines].map((line) => [...line, ...Array(HEAD.length - line.length).fill('')]))

export function figuresFile({ added, worked, timeInStage, programme, fellows }: Figures): string {
  const lines: Line[] = []
  for (const row of added) {
    const period = row.period ?? 'all'
    lines.push(['added', period, '', ...ofCount(row.added)])
    lines.push(
      ...row.reached.map((reached): Line => ['added, reached', period, reached.stage.name, ...ofShare(reached)]),
    )
    lines.push(['added, advanced', period, '', ...ofShare(row.advanced)])
    lines.push(['added, passed', period, '', ...ofShare(row.passed)])
    lines.push(['added, note by another', period, '', ...ofShare(row.noted), daysOf(row.daysToNote)])
  }
  for (const row of worked) {
    lines.push(['worked on', row.period, '', ...ofCount(row.worked)])
    lines.push(['worked on, added', row.period, '', ...ofShare(row.added)])
    lines.push(
      ...row.reached.map(
        (reached): Line => ['worked on, moved into', row.period, reached.stage.name, ...ofShare(reached)],
      ),
    )
    lines.push(['worked on, advanced', row.period, '', ...ofShare(row.advanced)])
    lines.push(['worked on, passed', row.period, '', ...ofShare(row.passed)])
  }
  for (const { stage, count, days } of timeInStage) {
    lines.push(['time in stage', '', stage.name, count, '', '', daysOf(days)])
  }
  lines.push(...calibrationLines('programme', programme))
  for (const { fellow, ...counts } of fellows) lines.push(...calibrationLines(fellow?.name ?? 'unknown', counts))
  return file(lines)
}

export function myFiguresFile({ found, reached, advanced, passed, reasons, calibration }: MyFigures): string {
  return file([
    ['found', '', '', ...ofCount(found)],
    ...reached.map((one): Line => ['found, reached', '', one.stage.name, ...ofShare(one)]),
    ['found, advanced', '', '', ...ofShare(advanced)],
    ['found, passed', '', '', ...ofShare(passed)],
    ...reasons.map((one): Line => ['found, passed, reason', '', one.reason?.name ?? 'none', ...ofCount(one)]),
    ...calibrationLines('me', calibration),
  ])
}
