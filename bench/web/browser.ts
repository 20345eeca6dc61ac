import { type BrowserContext, chromium } from '@playwright/test'

/** The arguments of both programs: the address of the product, and the account. */
export const login = {
  url: process.argv[2] ?? process.env.PRODUCT_URL ?? 'http://localhost:3000',
  email: process.env.PRODUCT_EMAIL ?? 'maya.okafor@stanford.edu',
  password: process.env.PRODUCT_PASSWORD ?? 'a long enough password',
}

/** Headless: CHROMIUM_PATH, or the Chromium of Playwright. */
const OPTIONS = {
  ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
  args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
}

export const openBrowser = () => chromium.launch(OPTIONS)

/** A browser with a temporary profile, which keeps its caches. */
export const openProfile = (
  viewport: { width: number; height: number },
  baseURL = login.url,
): Promise<BrowserContext> => chromium.launchPersistentContext('', { ...OPTIONS, baseURL, viewport })

/** Signs in without the screens. */
export async function signIn(context: BrowserContext) {
  await context.request.get('/api/auth/me', { headers: { prefer: 'handling=lenient' } })
  const cookies = await context.cookies()
  const token = cookies.find(({ name }) => name.endsWith('XSRF-TOKEN'))?.value ?? ''
  const answer = await context.request.post('/api/auth/login', {
    headers: { 'x-xsrf-token': decodeURIComponent(token) },
    data: { email: login.email, password: login.password },
  })
  if (!answer.ok()) throw new Error(`Signing in was answered ${answer.status()}: ${await answer.text()}`)
}

export const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
