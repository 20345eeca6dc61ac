import { monitorEventLoopDelay } from 'node:perf_hooks'
import { VERSION } from '#server/version.ts'
import type { Instruments } from './instruments.ts'

/** The metrics of any process: memory, CPU time, and event loop lag. Returns a function that stops them. */
export function measureProcess({ gauge }: Instruments): () => void {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const one = (value: number) => [{ value }]

  gauge('sourcebook_info', 'The running version.', () => [{ labels: { version: VERSION }, value: 1 }])
  gauge('process_start_time_seconds', 'When the process started.', () => one(performance.timeOrigin / 1000))
  gauge('process_resident_memory_bytes', 'Memory of the process.', () => one(process.memoryUsage.rss()))
  gauge('nodejs_heap_used_bytes', 'Memory in use by JavaScript.', () => one(process.memoryUsage().heapUsed))
  gauge(
    'process_cpu_seconds_total',
    'CPU time.',
    () => {
      const { user, system } = process.cpuUsage()
      return one((user + system) / 1e6)
    },
    'counter',
  )
  gauge('nodejs_eventloop_lag_seconds', 'Event loop lag since the last scrape.', () => {
    const late = (nanoseconds: number) => (Number.isNaN(nanoseconds) ? 0 : Math.max(0, nanoseconds / 1e9 - 0.01))
    const samples = [
      { labels: { quantile: '0.5' }, value: late(delay.percentile(50)) },
      { labels: { quantile: '0.99' }, value: late(delay.percentile(99)) },
      { labels: { quantile: '1' }, value: late(delay.max) },
    ]
    delay.reset()
    return samples
  })
  return () => delay.disable()
}
