import { TOKEN_CALLS_MAX } from '#contract/limits.ts'
import { AppError } from '#server/http/errors.ts'

const WINDOW_MS = 60_000

export const tooManyCalls = (seconds: number) =>
  new AppError(
    429,
    `An access token can make ${TOKEN_CALLS_MAX} calls in a minute. Try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`,
    {},
    seconds,
  )

/** Counts the calls of each token in this process. Throws the 429 beyond the limit. */
export function createCallRate() {
  const windows = new Map<string, { since: number; count: number }>()
  return (tokenId: string): void => {
    const now = Date.now()
    const known = windows.get(tokenId)
    const window = known !== undefined && now - known.since < WINDOW_MS ? known : { since: now, count: 0 }
    if (known === undefined) for (const [id, { since }] of windows) if (now - since >= WINDOW_MS) windows.delete(id)
    windows.set(tokenId, window)
    window.count += 1
    if (window.count > TOKEN_CALLS_MAX)
      throw tooManyCalls(Math.max(1, Math.ceil((window.since + WINDOW_MS - now) / 1_000)))
  }
}
