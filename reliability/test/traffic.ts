import type { caller } from '#server/test/http-caller.ts'

type Caller = ReturnType<typeof caller>
type Server = { url: string }
export type Fault = { what: string; answer: string }

/** A request of mixed traffic: mostly reading, some writing, like fellows. */
export type Request = { method: string; path: string; body?: unknown }

/** The repeating sequence of one fellow: of a hundred requests 78 read and 22 write. */
export function* mixedRequests(founders: string[], hand: number): Generator<Request, never> {
  for (let turn = hand * 7; ; turn += 1) {
    const founder = founders[turn % founders.length] as string
    const of100 = (turn * 37) % 100
    if (of100 < 25) yield { method: 'GET', path: '/founders?limit=50' }
    else if (of100 < 40) yield { method: 'GET', path: `/founders/${founder}` }
    else if (of100 < 52) yield { method: 'GET', path: `/founders?search=under%20load&limit=50` }
    else if (of100 < 62) yield { method: 'GET', path: `/notes/founder/${founder}` }
    else if (of100 < 70) yield { method: 'GET', path: '/auth/me' }
    else if (of100 < 78) yield { method: 'GET', path: '/dashboard' }
    else if (of100 < 90) yield { method: 'POST', path: `/notes/founder/${founder}`, body: { content: `note ${turn}` } }
    else if (of100 < 96) yield { method: 'PUT', path: `/founders/${founder}`, body: { rating: 1 + (turn % 10) } }
    else yield { method: 'POST', path: '/companies', body: { name: `Company ${hand}.${turn}`, notes: 'Met.' } }
  }
}

/** Sends one request and reads its whole response. Returns its error, if any, and its duration. */
export async function send({ call }: Caller, server: Server, { method, path, body }: Request) {
  const began = performance.now()
  const what = `${method} ${path}`
  try {
    const answer = await call(server, method, path, body)
    const text = await answer.text()
    const tookMs = performance.now() - began
    if (answer.ok) return { tookMs }
    return { tookMs, fault: { what, answer: `${answer.status} ${text.slice(0, 200)}` } satisfies Fault }
  } catch (error) {
    const { message, cause } = error as Error
    return { tookMs: performance.now() - began, fault: { what, answer: `${message} ${cause ?? ''}` } satisfies Fault }
  }
}
