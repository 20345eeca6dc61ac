import { type TokenScope, type TokensAllowed, tokenScopes } from '#contract/token-scopes.ts'
import { setTokenChoice } from '#server/auth/tokens/store.ts'
import type { TestApp, TestClient } from '#server/test/test-app.ts'

/** Lets fellows have these tokens, as a manager does. Without a manager the environment decides. */
export const allow = (test: TestApp, allowed: TokensAllowed, assistant = false) =>
  test.db.transaction((tx) => setTokenChoice(tx, { allowed, assistant }))

type Sent = { body?: unknown; headers?: Record<string, string> }

/** A program with a token, which keeps no cookies. */
export function tokenClient(test: TestApp, token: string) {
  const visitor: TestClient = test.visitor()
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    { body, headers }: Sent = {},
  ) => {
    const payload = body === undefined ? {} : { payload: body as object }
    const answer = await visitor.raw({
      method,
      url,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...payload,
    })
    if (answer.headers['set-cookie'] !== undefined) throw new Error(`${method} ${url} sets a cookie`)
    return answer
  }
  return {
    token,
    call,
    get: (url: string, headers?: Record<string, string>) => call('GET', url, headers && { headers }),
    post: (url: string, body: unknown = {}) => call('POST', url, { body }),
    put: (url: string, body: unknown) => call('PUT', url, { body }),
    patch: (url: string, body: unknown) => call('PATCH', url, { body }),
    delete: (url: string) => call('DELETE', url),
  }
}

/** A token that a signed-in fellow makes, with all scopes by default. */
export async function makeToken(
  test: TestApp,
  client: TestClient,
  scopes: readonly TokenScope[] = tokenScopes,
  name = 'Sync',
) {
  const { status, body } = await client.post('/api/account/tokens', { name, scopes, days: 30 })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return { ...tokenClient(test, body.token), id: body.id as string }
}
