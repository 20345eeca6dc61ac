import type { APIRequestContext, Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, join, own, test, toast, visit } from './product.ts'
import { addFounder } from './records.ts'
import { walk } from './walk.ts'

/** Not a pair with a record of another journey, whose name is similar. */
const pair = (page: Page, word: string) =>
  page.getByRole('region', { name: new RegExp(`^Ada (M\\. )?${word} and Ada (M\\. )?${word}$`) })
const side = (page: Page, word: string, name: string) => pair(page, word).getByRole('article', { name, exact: true })

/** Two records with one LinkedIn profile, by Grace on the page and by Tom, and the review of the pair. */
async function openPair(page: Page, other: APIRequestContext) {
  if (page.url() === 'about:blank') await join(page, { name: 'Grace Hopper' })
  await join(other, { name: 'Tom Baker' })
  const [word, handle] = [own('Pair'), own('pair')]
  const linkedIn = `https://www.linkedin.com/in/${handle}`
  const first = await addFounder(other, { linkedIn, name: `Ada ${word}`, notes: 'Met at a talk.', rating: 4 })
  const second = await addFounder(page, { linkedIn, name: `Ada M. ${word}`, notes: 'Met again.', rating: 9 })
  const isFound = async () => {
    const { body } = await callApi(page, 'GET', '/duplicates?kind=founder')
    return body.some((found: object) => [first, second].every(({ id }) => JSON.stringify(found).includes(id)))
  }
  await expect.poll(isFound).toBe(true)
  await visit(page, '/duplicates')
  await expect(pair(page, word)).toContainText('Same LinkedIn profile')
  return { word, first, second }
}

test.describe('The review of a pair', () => {
  test('shows both faces first in one tint, finders and addresses, what differs, and the actions at the bottom', async ({
    page,
    openCaller,
  }) => {
    const { word } = await openPair(page, await openCaller())
    const [first, second] = [side(page, word, `Ada ${word}`), side(page, word, `Ada M. ${word}`)]
    await expect(first).toContainText('Found by Tom Baker')
    await expect(second).toContainText('Found by Grace Hopper')
    await expect(first.getByRole('link', { name: /^linkedin.com/ })).toBeVisible()
    await expect(second.getByRole('heading', { level: 3 })).toContainText('(differs)')
    for (const [field, isDifferent] of [
      ['LinkedIn', false],
      ['Rating', true],
      ['Original Notes', true],
    ] as const) {
      await expect(first.getByRole('term').filter({ hasText: field })).toHaveText(
        isDifferent ? `${field} (differs)` : field,
      )
    }
    const tint = (face: typeof first) =>
      face.locator('.mantine-Avatar-placeholder').evaluate((element) => getComputedStyle(element).backgroundColor)
    expect(await tint(first)).toBe(await tint(second))
    for (const width of [1440, 768, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await expectNoSidewaysScroll(page)
      const [face, other, act] = await Promise.all(
        [first, second, pair(page, word).getByRole('link', { name: /^Merge/ })].map((part) => part.boundingBox()),
      )
      expect(face?.y).toBe(other?.y)
      expect(act?.y).toBeGreaterThanOrEqual((face?.y ?? 0) + (face?.height ?? 0))
      const [ours, theirs] = await Promise.all(
        [first, second].map((one) => one.getByRole('term').filter({ hasText: 'Original Notes' }).boundingBox()),
      )
      expect(ours?.y, 'the same fields are beside each other').toBe(theirs?.y)
    }
    await expectAccessible(page)
  })

  test('*Not the same* hides it for everyone, by keyboard, and is undone in its toast and in Recent changes', async ({
    page,
    openCaller,
  }) => {
    const { word } = await openPair(page, await openCaller())
    const { pressByKey, expectActs } = walk(page)
    const dismiss = () => pressByKey('button', /^Not the same/, pair(page, word))
    const marked = toast(page, 'are marked as not the same')
    await dismiss()
    expectActs(1)
    await pressByKey('button', 'Undo', marked)
    expectActs(2)
    await expect(pair(page, word)).toBeVisible()

    await dismiss()
    await expect(pair(page, word)).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('tab', { name: /^Founders \d/ })).toBeVisible()
    await expect(pair(page, word)).toHaveCount(0)
    await page.getByRole('link', { name: 'Recent changes' }).press('Enter')
    await expect(page).toHaveURL('/changes')
    const list = page.getByRole('list', { name: 'Recent changes' })
    const change = list.getByRole('listitem').filter({ hasText: word, hasNotText: 'Undone' })
    await expect(change).toContainText(/^Grace Hopper marked .* as not the same/)
    await change.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect(change).toHaveCount(0)
    await page.goto('/duplicates')
    await expect(pair(page, word)).toBeVisible()
  })

  test('lets a fellow who may not edit both merge by the rule, or says who can', { tag: '@slow' }, async ({
    page,
    openCaller,
  }) => {
    await test.step('lets a fellow who may not edit both merge by the rule, which the form shows without a choice', async () => {
      const { word, first, second } = await openPair(page, await openCaller())
      await pair(page, word)
        .getByRole('link', { name: /^Merge/ })
        .press('Enter')
      await expect(page.getByText(/^The record of .* stays; gaps are filled from the other/)).toContainText(
        'Only a fellow who found or noted both',
      )
      await expect(page.getByRole('group', { name: 'Rating' })).toContainText(/4\/10Kept.*Not kept/)
      await expect(page.getByRole('radio')).toHaveCount(0)
      const result = page.getByRole('article')
      await expect(result.getByRole('heading', { level: 2 })).toHaveText(`Ada ${word}`)
      await expect(result).toContainText('Met at a talk.\n\nMet again.', { useInnerText: true })
      await expect(result).toContainText('4/10')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Merge', exact: true }).press('Enter')
      await expect(toast(page, `Merged into Ada ${word}`)).toBeVisible()
      const merged = (await callApi(page, 'GET', `/founders/${second.id}`)).body
      expect(merged).toMatchObject({
        id: first.id,
        name: `Ada ${word}`,
        rating: 4,
        notes: 'Met at a talk.\n\nMet again.',
      })

      await visit(page, '/my-records')
      const remove = page.getByRole('button', { name: `Delete Ada ${word}` })
      await expect(remove).toHaveAttribute('aria-disabled', 'true')
      await expect(remove).toHaveAccessibleDescription(/^This record unites records of several fellows/)
    })
    await test.step('has no *Merge* for notes that are too long together, and says who can', async () => {
      const { word, first, second } = await openPair(page, await openCaller())
      await callApi(page, 'PUT', `/founders/${second.id}`, { notes: 'x'.repeat(10_000) })
      await visit(page, `/duplicates/merge?show=founders&one=${first.id}&other=${second.id}`)
      await expect(page.getByText('A fellow who found or noted both, or a manager, can merge them.')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Merge', exact: true })).toHaveCount(0)
      await expect(page.getByText(word).first()).toBeVisible()
      await expectAccessible(page)
    })
  })
})
