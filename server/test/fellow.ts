import { makeAccount } from './factories.ts'
import type { TestApp } from './test-app.ts'

/** A fellow with a new account, in a browser with a session. */
export async function fellowOf(test: TestApp, overrides: Parameters<typeof makeAccount>[1] = {}) {
  const account = await makeAccount(test.db, overrides)
  return { account, client: await test.signedIn(account) }
}
