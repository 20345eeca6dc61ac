/** The quantile: this share of all values is at most the result. */
export const quantile = (numbers: number[], share: number): number => {
  const sorted = [...numbers].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** The duration in milliseconds, and the result. */
export async function timed<Result>(work: () => Promise<Result>): Promise<{ ms: number; result: Result }> {
  const began = performance.now()
  const result = await work()
  return { ms: performance.now() - began, result }
}

/** Prints a figure of a long run on its own line. */
export const show = (line: string) => console.log(line)
