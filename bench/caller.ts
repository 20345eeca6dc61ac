import { caller } from '#server/test/http-caller.ts'

/** The response of a list: its rows, their number, and the URL of the next page. */
export type Page = { rows: { id: string; name: string; notes: string }[]; total: string; next: string | undefined }

/** A signed-in fellow: the headers of their requests. */
export type Caller = { headers: Record<string, string>; page: (path: string) => Promise<Page> }

/** Signs in at a running product. Throws when that is refused. */
export async function signIn(url: string, email: string, password: string): Promise<Caller> {
  const { call, headers } = caller()
  await call({ url }, 'GET', '/auth/me')
  const answer = await call({ url }, 'POST', '/auth/login', { email, password })
  if (!answer.ok) throw new Error(`Signing in answered ${answer.status}: ${await answer.text()}`)
  return {
    headers: { ...headers(), 'content-type': 'application/json' },
    page: async (path) => {
      const answer = await call({ url }, 'GET', path.replace(/^\/api/, ''))
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
      return {
        rows: (await answer.json()) as Page['rows'],
        total: answer.headers.get('x-total-count') ?? '',
        next: /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1],
      }
    },
  }
}
