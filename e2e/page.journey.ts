import { expect, join, test } from './product.ts'

test('A path with a dot redirects in a browser like any unknown path', async ({ page }) => {
  const paths = ['/founders/john.doe', '/.env', '/index.html', '/missing.css']
  for (const path of paths) {
    await page.goto(path)
    await expect(page).toHaveURL('/auth')
    await expect(page.getByLabel('Email')).toBeVisible()
  }
  await join(page)
  for (const path of paths) {
    await page.goto(path)
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  }
})

test('Colours are those of the choice, else of the system, before the first paint', async ({ page }) => {
  // The script that renders the page never arrives.
  await page.route('**/assets/index-*.js', () => {})
  for (const [stored, preferred, shown] of [
    [null, 'dark', 'dark'],
    [null, 'light', 'light'],
    ['light', 'dark', 'light'],
    ['dark', 'light', 'dark'],
  ] as const)
    await test.step(`${shown} with ${stored ?? 'nothing'} chosen and a ${preferred} system`, async () => {
      await page.emulateMedia({ colorScheme: preferred })
      await page.goto('/healthz')
      await page.evaluate((stored) => {
        if (stored) localStorage.setItem('mantine-color-scheme-value', stored)
      }, stored)
      await page.goto('/auth', { waitUntil: 'commit' })
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', shown)
    })
})

test.describe('A page with a missing file, as after an upgrade', () => {
  test('says so and offers to reload', async ({ page, complaints }) => {
    await join(page)
    await page.goto('/')
    await page.route('**/assets/records-page-*.js', (route) => route.fulfill({ status: 404 }))
    await page.getByRole('navigation').getByRole('link', { name: 'Search Companies' }).click()
    await expect(page.getByRole('alert')).toContainText('This page could not be shown')
    complaints.splice(0)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Load again' }).click()
    await expect(page.getByRole('heading', { name: 'Search Companies' })).toBeVisible()
  })
})
