import { makeAccount, PASSWORD } from './factories.ts'
import type { TestApp } from './test-app.ts'

/** A fellow with a new account and a signed-in browser. */
export async function fellowOf(test: TestApp, overrides: Parameters<typeof makeAccount>[1] = {}) {
  const account = await makeAccount(test.db, overrides)
  const client = test.visitor()
  await client.post('/api/auth/login', { email: account.email, password: PASSWORD })
  return { account, client }
}
