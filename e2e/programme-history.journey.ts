import { operate } from './operator.ts'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoSidewaysScrollAtAnyWidth,
  freshAddress,
  join,
  own,
  test,
} from './product.ts'

test.describe('The history of the programme', () => {
  test('is searched and exported by a manager, by keyboard', { tag: '@slow' }, async ({
    page,
    product,
    complaints,
  }) => {
    const email = freshAddress('manager')
    await join(page, { name: 'Mira Manager', email })
    const name = own('Ada')
    const input = { name, linkedIn: `https://www.linkedin.com/in/${own('h').toLowerCase()}`, notes: 'Met' }
    const { id } = (await callApi(page, 'POST', '/founders', input)).body as { id: string }
    await callApi(page, 'PUT', `/founders/${id}`, { rating: 9 })
    await operate(product, 'accounts', 'make-manager', email)
    await page.goto('/programme')
    await test.step('what is sent is paused, and goes on, by keyboard', async () => {
      await page.getByRole('link', { name: 'Sending' }).press('Enter')
      await expect(page.getByRole('heading', { name: 'No daily mails' })).toBeVisible()
      await page.getByRole('button', { name: 'Pause sending' }).press('Enter')
      await expect(page.getByRole('heading', { name: 'Sending is paused' })).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScrollAtAnyWidth(page)
      await page.getByRole('button', { name: 'Go on sending' }).press('Enter')
      await expect(page.getByRole('button', { name: 'Pause sending' })).toBeVisible()
    })
    await test.step('a channel is added with a search, by keyboard, and its address is shown masked', async () => {
      await callApi(page, 'POST', '/searches', { name: 'Berlin', kind: 'founder', query: 'stage=none', isShared: true })
      await page.reload()
      await page.getByRole('button', { name: 'Add a channel' }).press('Enter')
      const form = page.getByRole('form', { name: 'Add a channel' })
      await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused()
      await form.getByRole('textbox', { name: 'Name' }).fill('Sourcing team')
      await form.getByRole('textbox', { name: 'Address' }).fill('https://evil.example/services/x')
      await page.keyboard.press('Enter')
      await expect(form.getByText('Enter the address of an incoming webhook')).toBeVisible()
      complaints.length = 0
      await form.getByRole('textbox', { name: 'Address' }).fill('https://hooks.slack.com/services/T0/B0/secretPart')
      await page.keyboard.press('Enter')
      const channel = page.getByRole('region', { name: 'Channel Sourcing team' })
      await expect(channel).toContainText('Slack · hooks.slack.com/…Part · Added by Mira Manager')
      await channel.getByRole('combobox', { name: 'Searches' }).press('ArrowDown')
      await expectAccessible(page)
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect(channel.getByText('Berlin', { exact: true }).first()).toBeVisible()
      await page.keyboard.press('Escape')
      await expectAccessible(page)
      await expectNoSidewaysScrollAtAnyWidth(page)
      await channel.getByRole('button', { name: 'Remove' }).press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter')
      await expect(page.getByRole('heading', { name: 'No channels' })).toBeVisible()
    })
    await test.step('a webhook is added by keyboard, and its secret is shown once', async () => {
      await page.getByRole('button', { name: 'Add a webhook' }).press('Enter')
      const form = page.getByRole('form', { name: 'Add a webhook' })
      await expect(form.getByRole('textbox', { name: 'Address' })).toBeFocused()
      await form.getByRole('textbox', { name: 'Address' }).fill('http://10.0.0.1/hooks/x')
      await page.keyboard.press('Enter')
      await expect(form.getByText('Enter an https address that everyone can reach')).toBeVisible()
      complaints.length = 0
      await form.getByRole('textbox', { name: 'Address' }).fill('https://receiver.example/hooks/secretPart')
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByText('whsec_')).toBeVisible()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Done' }).press('Enter')
      await expect(page.getByText('whsec_')).toBeHidden()
      const webhook = page.getByRole('region', { name: 'Webhook receiver.example/…Part' })
      await expect(webhook).toContainText('Added by Mira Manager')
      await expect(webhook).toContainText('No ring yet')
      await expectAccessible(page)
      await expectNoSidewaysScrollAtAnyWidth(page)
      await webhook.getByRole('button', { name: 'Remove' }).press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter')
      await expect(page.getByRole('heading', { name: 'No webhooks' })).toBeVisible()
    })
    await page.getByRole('link', { name: 'History' }).press('Enter')
    await expect(page).toHaveTitle('History · Programme · Sourcebook')
    await page.getByRole('textbox', { name: 'Record' }).fill(`http://localhost/founders/${id}`)
    const act = page.getByRole('combobox', { name: 'Act' })
    const search = page.getByRole('button', { name: 'Search', exact: true })
    await act.pressSequentially('edited')
    await act.press('Enter')
    await expect(act).toHaveValue('Edit')
    const person = page.getByRole('combobox', { name: 'Person' })
    await person.fill(email)
    await page.getByRole('option', { name: email }).waitFor()
    await person.press('ArrowDown')
    await person.press('Enter')
    await search.press('Enter')
    await expect(page).toHaveURL(`/programme/history?person=${encodeURIComponent(email)}&action=update&record=${id}`)
    const acts = page.getByRole('list', { name: 'History' }).getByRole('listitem')
    await expect(acts).toHaveCount(1)
    await expect(acts).toContainText(`Mira Manager edited the founder ${name}`)
    await expect(acts.getByText('rating')).toBeHidden()
    await acts.getByText('Details').press('Enter')
    await expect(acts.getByText('rating')).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).press('Enter')
    expect((await download).suggestedFilename()).toMatch(/^history-.*\.csv$/)
    await acts.getByRole('link', { name }).press('Enter')
    await expect(page).toHaveURL(`/founders/${id}`)
    await page.goBack()
    await expect(act).toHaveValue('Edit')
    await act.press('ControlOrMeta+a')
    await act.pressSequentially('merged')
    await act.press('Enter')
    await expect(act).toHaveValue('Merge')
    await search.press('Enter')
    await expect(page.getByText('Nothing found')).toBeVisible()
    // Back and forward, which the fields follow.
    await page.goBack()
    await expect(act).toHaveValue('Edit')
    await page.goForward()
    await expect(act).toHaveValue('Merge')
  })
})
