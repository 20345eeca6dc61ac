import autocannon from 'autocannon'
import type { Request } from './calls.ts'

/** Requests per second, and the milliseconds of the median and the 99th percentile. */
export type Measured = { rate: number; p50: number; p99: number }

export const CONNECTIONS = 10

/**
 * Sends requests over several connections. Each connection waits for its response before the next request, and has an
 * order of its own. With several accounts, each connection has another one. Throws on any failure, because a failure is
 * not a fast response.
 */
export async function measure(
  url: string,
  {
    requests,
    headers,
    seconds,
    connections = CONNECTIONS,
  }: {
    requests: Request[]
    headers: Record<string, string> | Record<string, string>[]
    seconds: number
    connections?: number
  },
): Promise<Measured> {
  const accounts = [headers].flat()
  let clients = 0
  const sent = requests.map(({ method, path, body }) => ({
    method,
    path,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }))
  let begin = 0
  const took: number[] = []
  const { non2xx, errors, timeouts, duration } = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      {
        url,
        connections,
        // A run too short to measure time sends a few requests instead.
        ...(seconds < 1 ? { amount: connections, sampleInt: 20 } : { duration: seconds }),
        setupClient: (client) => {
          const headers = accounts[clients % accounts.length] as Record<string, string>
          client.setRequests([...sent.slice(begin), ...sent.slice(0, begin)].map((one) => ({ ...one, headers })))
          clients += 1
          begin = (begin + Math.ceil(sent.length / connections)) % sent.length
        },
      },
      (error, result) => (error ? reject(error) : resolve(result)),
    )
    run.on('response', (_client, _status, _bytes, ms) => took.push(ms))
  })
  if (non2xx + errors + timeouts > 0 || took.length === 0) {
    const first = sent[0]
    throw new Error(
      `${first?.method} ${first?.path}: ${took.length} responses, ${non2xx} of them failures, ${errors} errors`,
    )
  }
  took.sort((a, b) => a - b)
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] as number
  return { rate: took.length / duration, p50: at(0.5), p99: at(0.99) }
}
