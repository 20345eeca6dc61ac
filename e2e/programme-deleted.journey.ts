import { operate } from './operator.ts'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoSidewaysScrollAtAnyWidth,
  freshAddress,
  join,
  test,
  toast,
  visit,
} from './product.ts'
import { addTwins } from './records.ts'

test.describe('Recent changes', () => {
  test('have deletions, which a manager undoes by keyboard', { tag: '@slow' }, async ({ page, product }) => {
    const email = freshAddress('manager')
    await join(page, { name: 'Grace Hopper', email })
    const { word, first } = await addTwins(page)
    await page.goto('/changes')
    expect((await callApi(page, 'DELETE', `/founders/${first.id}`)).status).toBe(204)
    const deleted = page.getByRole('list', { name: 'Recent changes' }).getByRole('listitem').filter({ hasText: word })
    await expect(deleted).toContainText(`Grace Hopper deleted Ada ${word}`)
    await expect(deleted).toContainText('A manager or the operator can bring it back')
    await expect(deleted.getByRole('button')).toHaveCount(0)
    await operate(product, 'accounts', 'make-manager', email)
    await page.reload()
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)
    await deleted.getByRole('button', { name: `Undo the deletion of Ada ${word}` }).press('Enter')
    await expect(toast(page, `Ada ${word} is back`)).toBeVisible()
    await expect(deleted).toHaveCount(0)
    await visit(page, `/founders/${first.id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Ada ${word}`)
  })
})
