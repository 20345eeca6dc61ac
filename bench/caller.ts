import { caller } from '#server/test/http-caller.ts'

/** The response of a list: its rows, their number, and the URL of the next page. */
export type Page = { rows: Row[]; total: string; next: string | undefined }
type Row = {
  id: string
  name: string
  notes: string
  additionalInfo: string | null
  linkedIn?: string
  website?: string
}

/** A signed-in fellow: the headers of their requests. */
export type Caller = {
  headers: Record<string, string>
  get: <Answer>(path: string) => Promise<Answer>
  page: (path: string) => Promise<Page>
  post: (path: string, body: object) => Promise<void>
}

/** Signs in at a running product. Throws when that is refused. */
export async function signIn(url: string, email: string, password: string): Promise<Caller> {
  const { call, headers } = caller()
  await call({ url }, 'GET', '/auth/me')
  const answer = await call({ url }, 'POST', '/auth/login', { email, password })
  if (!answer.ok) throw new Error(`Signing in answered ${answer.status}: ${await answer.text()}`)
  const send = async (method: string, path: string, body?: object) => {
    const answer = await call({ url }, method, path.replace(/^\/api/, ''), body)
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const get = (path: string) => send('GET', path)
  return {
    headers: { ...headers(), 'content-type': 'application/json' },
    get: async <Answer>(path: string) => (await (await get(path)).json()) as Answer,
    post: async (path, body) => void (await send('POST', path, body)),
    page: async (path) => {
      const answer = await get(path)
      return {
        rows: (await answer.json()) as Page['rows'],
        total: answer.headers.get('x-total-count') ?? '',
        next: /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1],
      }
    },
  }
}
