import { createServer } from 'node:net'
import type { Page } from '@playwright/test'
import { openIssuer, type TestIssuer } from '#server/auth/sso/test/open-issuer.ts'
import { type MailServer, openMailServer, tokenIn } from '#server/test/mail-server.ts'
import { test as base, callApi, expect, freshAddress, PASSWORD, type Product, startProduct } from './product.ts'

// The product with mail and single sign-on set up, with a fake mail server and a fake issuer.

/** Log lines about refused mails and failed sign-ons, which journeys provoke. */
const PROVOKED = /The mail server rejected a mail|Single sign-on failed/

type Workers = { mails: MailServer; issuer: TestIssuer; product: Product }

export const test = base.extend<object, Workers>({
  mails: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that it needs from this pattern
    async ({}, use) => {
      const mails = await openMailServer()
      await use(mails)
      await mails.close()
    },
    { scope: 'worker' },
  ],
  issuer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that it needs from this pattern
    async ({}, use) => {
      const issuer = await openIssuer()
      await use(issuer)
      await issuer.close()
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ mails, issuer }, use) => {
      const port = await freePort()
      // Links and issuers need the public address before the server listens.
      const url = `http://localhost:${port}`
      const settings = {
        PORT: port,
        PUBLIC_URL: url,
        SMTP_URL: mails.url,
        THROTTLE_MAIL_IP: '1000',
        ...issuer.settings,
      }
      const product = await startProduct(settings, PROVOKED)
      await use({ ...product, url })
      await product.stop()
    },
    { scope: 'worker' },
  ],
})

/** An account with a verified address and without a session, created without the screens. */
export async function haveAccount(
  page: Page,
  mails: MailServer,
  { name = 'Ada Lovelace', email = freshAddress() } = {},
) {
  await callApi(page, 'GET', '/auth/me')
  await callApi(page, 'POST', '/auth/register', { email, password: PASSWORD, name })
  const { status } = await callApi(page, 'POST', '/auth/verify', { token: tokenIn(await mails.next(email)) })
  expect(status).toBe(204)
  return email
}

const freePort = () =>
  new Promise<string>((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(String(port)))
    })
  })
