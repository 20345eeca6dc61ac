import { expect, freshAddress, own, signIn, signUp, test, toast } from './product.ts'

test('A fellow signs up, adds a founder, finds it by part of its name in another case, signs out and in, and still finds it', async ({
  page,
}) => {
  const name = own('Grace Hopper')
  const part = name.slice(3)
  const { email } = await signUp(page, { name: 'Ada Lovelace', email: freshAddress('ada') })
  await page.getByRole('banner').getByRole('link', { name: 'Add Founder' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('LinkedIn profile').fill('https://www.linkedin.com/in/grace-hopper')
  await page.getByLabel('Notes').fill('Met at the compiler meet-up.')
  await page.getByRole('radio', { name: '8 of 10' }).check({ force: true })
  await page.getByRole('button', { name: 'Add to Network' }).click()
  await expect(toast(page, 'Founder added successfully!')).toBeVisible()
  await expect(page).toHaveURL('/founders')
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()

  await page.getByPlaceholder('Search by name, notes, or company').fill(part.toUpperCase())
  await expect(page).toHaveURL(`/founders?search=${part.toUpperCase().replace(' ', '+')}`)
  const card = page.getByRole('article', { name, exact: true })
  await expect(card).toContainText('Added by Ada Lovelace')
  await expect(card).toContainText('8/10')
  await expect(card.locator('mark')).toHaveText(part)

  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(toast(page, 'Logged out successfully')).toBeVisible()
  await expect(page).toHaveURL('/auth')

  await signIn(page, email)
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
})
