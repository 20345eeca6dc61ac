import type { ServerResponse } from 'node:http'

/** How often calls whose token has expired are looked for. */
const LOOK_FOR_EXPIRED_MS = 500
/** A token that ends between its query and its call is remembered for longer than a query takes. */
const REMEMBERED_MS = 60_000

export type OpenCalls = ReturnType<typeof createOpenCalls>

/** The calls of tokens on which this process works, streams and exports among them. They end with their token. */
export function createOpenCalls() {
  const calls = new Map<ServerResponse, { tokenId: string; expiresAt: number }>()
  const ended = new Map<string, number>()

  const endWhere = (isOver: (call: { tokenId: string; expiresAt: number }) => boolean) => {
    for (const [response, call] of calls) {
      if (!isOver(call)) continue
      calls.delete(response)
      response.destroy()
    }
  }
  const timer = setInterval(() => {
    const now = Date.now()
    endWhere(({ expiresAt }) => expiresAt <= now)
    for (const [id, at] of ended) if (at < now - REMEMBERED_MS) ended.delete(id)
  }, LOOK_FOR_EXPIRED_MS).unref()

  return {
    /** False when the token has ended meanwhile. */
    add(tokenId: string, expiresAt: Date, response: ServerResponse): boolean {
      if (ended.has(tokenId)) return false
      calls.set(response, { tokenId, expiresAt: expiresAt.getTime() })
      response.once('close', () => calls.delete(response))
      return true
    },

    /** Ends the calls of a token that has ended. */
    end(tokenId: string): void {
      ended.set(tokenId, Date.now())
      endWhere((call) => call.tokenId === tokenId)
    },

    /** Ends the calls of all other tokens among these. Their tokens may be allowed again. */
    keepOnly(allowed: ReadonlySet<string>, asked: readonly string[]): void {
      endWhere(({ tokenId }) => asked.includes(tokenId) && !allowed.has(tokenId))
    },

    tokenIds: (): string[] => [...new Set([...calls.values()].map(({ tokenId }) => tokenId))],

    stop: () => clearInterval(timer),
  }
}
