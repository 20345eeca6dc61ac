import { expect, it } from 'vitest'
import { printComparison } from './comparison.ts'
import type { Report } from './report.ts'

const measured = (rate: number) => ({ rate, p50: 1, p99: 2 })
const run = (ours: number, limit: number): Report => ({
  ...{ at: '', machine: '', embedded: undefined, web: undefined },
  sizes: [
    {
      ...{ founders: 1, startMs: 0, restMb: 0, peakMb: 0 },
      calls: [{ name: 'list', ours: measured(ours), alone: measured(1), limit: measured(limit) }],
    },
  ],
})

it('Two runs are compared by their shares of the limit', () => {
  const lines: string[] = []
  printComparison(run(60, 100), run(80, 109), (line) => void lines.push(line))
  expect(lines.at(-1)).toBe('| list | 0.60 | 0.73 |')
})

it('Two runs whose limits differ by more than a tenth are not compared', () => {
  expect(() => printComparison(run(60, 100), run(80, 111), () => {})).toThrow(/differ by more than a tenth \(list\)/)
})
