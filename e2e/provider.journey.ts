import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { startProviderServer } from '#server/enrichment/test/provider-server.ts'
import { callApi, expect, join, startProduct, test, toast } from './product.ts'

const FOUNDER = { linkedIn: 'https://www.linkedin.com/in/grace-hopper', notes: 'Met at a demo day.' }
const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })

test.describe('With a provider', () => {
  /** The product with one provider, on this machine, who knows everybody, and takes so long to say it. */
  async function productWith({ delayMs }: { delayMs: number }) {
    const outside = await startProviderServer()
    const product = await startProduct({
      ENRICHMENT_PROVIDERS: 'harmonic',
      HARMONIC_API_KEY: 'a-key',
      HARMONIC_BASE_URL: outside.url,
      FETCH_ALLOW_HOSTS: new URL(outside.url).host,
    })
    const portrait = sharp({ create: { width: 300, height: 300, channels: 3, background: '#0a66c2' } })
    outside.on('GET /portrait.png', { body: await portrait.png().toBuffer() })
    outside.on('POST /persons', {
      delayMs,
      json: {
        profile_picture_url: `${outside.url}/portrait.png`,
        experience: [{ title: 'Rear Admiral', company_name: 'Navy', is_current_position: true }],
      },
    })
    outside.on('POST /companies', { delayMs, json: { headcount: 42 } })
    const stop = async () => {
      await product.stop()
      await outside.close()
    }
    return { product, stop }
  }

  test('a founder is added and enriched, with a picture from the product itself', async ({ browser }) => {
    const { product, stop } = await productWith({ delayMs: 0 })
    const page = await browser.newPage({ baseURL: product.url })
    await join(page)
    await page.goto('/founders/add')
    await page.getByLabel('Name').fill('Grace Hopper')
    await page.getByLabel('LinkedIn profile').fill(FOUNDER.linkedIn)
    await page.getByRole('textbox', { name: 'Notes' }).fill(FOUNDER.notes)
    await page.getByRole('button', { name: 'Add to Network' }).click()
    await expect(toast(page, 'Founder added and enriched with LinkedIn data!')).toBeVisible()
    const grace = card(page, 'Grace Hopper')
    await expect(grace).toContainText('Rear Admiral')
    await expect(grace.getByRole('button', { name: /^From Harmonic, just now/ })).toBeVisible()
    const picture = grace.locator('img')
    await expect(picture).toHaveAttribute('src', /^\/api\/founders\/[\w-]+\/picture\?t=\d+&size=56$/)
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(56)
    await page.close()
    await stop()
  })

  test('a company is added and enriched', async ({ browser }) => {
    const { product, stop } = await productWith({ delayMs: 0 })
    const page = await browser.newPage({ baseURL: product.url })
    await join(page)
    await page.goto('/companies/add')
    await page.getByLabel('Name').fill('Acme')
    await page.getByLabel('Website').fill('https://acme.example')
    await page.getByRole('textbox', { name: 'Notes' }).fill('Met.')
    await page.getByRole('button', { name: 'Add to Portfolio' }).click()
    await expect(toast(page, 'Company added and enriched with business data!')).toBeVisible()
    await expect(card(page, 'Acme')).toContainText('42')
    await page.close()
    await stop()
  })

  test('a slow one is not waited for; the card fills in by itself', async ({ browser }) => {
    const { product, stop } = await productWith({ delayMs: 5_000 })
    const page = await browser.newPage({ baseURL: product.url })
    await join(page)
    await callApi(page, 'POST', '/founders', { ...FOUNDER, name: 'Grace Hopper' })
    await page.goto('/founders')
    const grace = card(page, 'Grace Hopper')
    await expect(grace).toContainText('Updating…')
    await expect(grace).toContainText('Rear Admiral', { timeout: 15_000 })
    await expect(grace).not.toContainText('Updating…')
    await page.close()
    await stop()
  })
})
