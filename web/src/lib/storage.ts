/** Returns the result of `use`, or undefined when the browser refuses storage or is out of space. */
export function withStorage<Result>(use: () => Result): Result | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
