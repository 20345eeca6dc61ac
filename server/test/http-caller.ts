/** The address of a server. */
type Server = { url: string }

/** A signed-in caller over real HTTP. Its cookies outlive the server, as those of a browser do. */
export function caller() {
  const cookies = new Map<string, string>()
  /** The headers that make a request one of this caller. */
  const headers = () => ({
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-xsrf-token': cookies.get('XSRF-TOKEN') ?? '',
  })
  const call = async (
    server: Server,
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ) => {
    const answer = await fetch(`${server.url}/api${path}`, {
      method,
      headers: { ...headers(), ...(body !== undefined && { 'content-type': 'application/json' }), ...more },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (name !== undefined && value !== undefined) cookies.set(name, value)
    }
    return answer
  }
  const join = async (server: Server, email = 'ada@mit.edu') => {
    await call(server, 'GET', '/auth/me')
    const credentials = { email, password: 'a long enough password', name: 'Ada' }
    const { status } = await call(server, 'POST', '/auth/register', credentials)
    if (status !== 201) throw new Error(`Joining answered ${status}`)
  }
  return { call, headers, join }
}
