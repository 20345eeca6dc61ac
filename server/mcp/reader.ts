import type { FastifyRequest } from 'fastify'
import type { App } from '#server/http/app.ts'

// The tools read by the calls of the API, with the token of their caller: its rights, limits and answers are theirs.

/** Why a call was refused, in a sentence of ours. */
export class Refused extends Error {}

export type Query = Readonly<Record<string, string | undefined>>

/** An answer, and the cursor of the next page of a list. */
type Answer<Body> = { body: Body; next: string | undefined }

export type Reader = ReturnType<typeof createReader>

/** Reads as the caller of a request, each address once. */
export function createReader(app: App, request: FastifyRequest) {
  const { authorization = '', host = '' } = request.headers
  const answers = new Map<string, Promise<Answer<unknown> | undefined>>()

  /** Undefined where there is nothing. A merged record is read at its survivor. */
  function find<Body>(path: string, query: Query = {}): Promise<Answer<Body> | undefined> {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const url = `/api${path}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`
    const answer = answers.get(url) ?? ask(url)
    answers.set(url, answer)
    return answer as Promise<Answer<Body> | undefined>
  }

  async function ask(url: string): Promise<Answer<unknown> | undefined> {
    const answer = await app.inject({ method: 'GET', url, remoteAddress: request.ip, headers: { authorization, host } })
    const { location, link } = answer.headers
    if (answer.statusCode === 308) return find(String(location).slice('/api'.length))
    if (answer.statusCode === 404) return undefined
    const body = answer.json()
    if (answer.statusCode >= 400) throw new Refused(body.error)
    return { body, next: cursorIn(link) }
  }

  return {
    find,
    read: async <Body>(path: string, query?: Query): Promise<Answer<Body>> => {
      const found = await find<Body>(path, query)
      if (found === undefined) throw new Refused('There is nothing with this id.')
      return found
    },
  }
}

const cursorIn = (link: unknown): string | undefined => {
  const [, next] = /<([^>]+)>; rel="next"/.exec(String(link ?? '')) ?? []
  return next === undefined ? undefined : (new URL(next, 'http://here').searchParams.get('cursor') ?? undefined)
}
