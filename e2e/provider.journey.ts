import sharp from 'sharp'
import { startProviderServer } from '#server/enrichment/test/provider-server.ts'
import { callApi, expect, join, startProduct, test, toast } from './product.ts'
import { card } from './records.ts'

const FOUNDER = { linkedIn: 'https://www.linkedin.com/in/grace-hopper', notes: 'Met at a demo day.' }

test('With a provider, records are added and enriched; adding does not wait for a slow one', { tag: '@slow' }, async ({
  browser,
}) => {
  const outside = await startProviderServer()
  const product = await startProduct({
    ENRICHMENT_PROVIDERS: 'harmonic',
    HARMONIC_API_KEY: 'a-key',
    HARMONIC_BASE_URL: outside.url,
    FETCH_ALLOW_HOSTS: new URL(outside.url).host,
  })
  const page = await browser.newPage({ baseURL: product.url })
  await join(page)

  await test.step('a founder, with a picture that the product serves', async () => {
    const portrait = sharp({ create: { width: 300, height: 300, channels: 3, background: '#0a66c2' } })
    outside.on('GET /portrait.png', { body: await portrait.png().toBuffer() })
    const experience = [{ title: 'Rear Admiral', company_name: 'Navy', is_current_position: true }]
    outside.on('POST /persons', { json: { profile_picture_url: `${outside.url}/portrait.png`, experience } })
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
  })

  await test.step('a company', async () => {
    outside.on('POST /companies', { json: { headcount: 42 } })
    await page.goto('/companies/add')
    await page.getByLabel('Name').fill('Acme')
    await page.getByLabel('Website').fill('https://acme.example')
    await page.getByRole('textbox', { name: 'Notes' }).fill('Met.')
    await page.getByRole('button', { name: 'Add to Portfolio' }).click()
    await expect(toast(page, 'Company added and enriched with business data!')).toBeVisible()
    await expect(card(page, 'Acme')).toContainText('42')
  })

  await test.step('a slow provider: the card fills in by itself', async () => {
    const experience = [{ title: 'Countess', company_name: 'Engines', is_current_position: true }]
    outside.on('POST /persons', { delayMs: 4_000, json: { experience } })
    const linkedIn = 'https://www.linkedin.com/in/ada-lovelace'
    await callApi(page, 'POST', '/founders', { ...FOUNDER, linkedIn, name: 'Ada Lovelace' })
    await page.goto('/founders')
    const ada = card(page, 'Ada Lovelace')
    await expect(ada).toContainText('Updating…')
    await expect(ada).toContainText('Countess')
    await expect(ada).not.toContainText('Updating…')
  })

  await page.close()
  await product.stop()
  await outside.close()
})
