import { execFileSync } from 'node:child_process'

/** The resident memory of a process and those that it has started, in MB. */
export function residentMb(pid: number): number {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' }).trim().split('\n')
  const processes = lines.map((line) => line.trim().split(/ +/).map(Number) as [number, number, number])
  const sumOf = (id: number): number =>
    processes.reduce((sum, [own, parent, kilobytes]) => {
      if (own === id) return sum + kilobytes / 1024
      return parent === id ? sum + sumOf(own) : sum
    }, 0)
  return sumOf(pid)
}
