/** The value that this share of all is at most. */
export const quantile = (numbers: number[], share: number): number => {
  const sorted = [...numbers].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** How many milliseconds it took, and what came of it. */
export async function timed<Result>(work: () => Promise<Result>): Promise<{ ms: number; result: Result }> {
  const began = performance.now()
  const result = await work()
  return { ms: performance.now() - began, result }
}

/** A figure that a long run shows, in a line of its own. */
export const show = (line: string) => console.log(line)
