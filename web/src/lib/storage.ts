/** What `use` returns, or undefined where the browser refuses storage or has no room left. */
export function withStorage<Result>(use: () => Result): Result | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
