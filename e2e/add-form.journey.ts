import { expect, expectAccessible, join, own, test, visit } from './product.ts'

test.describe('The form that adds a record', () => {
  test('marks what is required, completes an address, leads back, and asks when something was typed', async ({
    page,
  }) => {
    await join(page)
    await test.step('required fields are marked, optional ones are not', async () => {
      await visit(page, '/companies/add')
      const markOf = (label: string) =>
        page.getByText(label, { exact: true }).evaluate((element) => getComputedStyle(element, '::after').content)
      for (const label of ['Name', 'Notes']) expect(await markOf(label)).toContain('*')
      for (const label of ['Website (optional)', 'Description (optional)']) expect(await markOf(label)).toBe('none')
    })
    await test.step('Cancel and Escape return to the previous screen, and ask the same question when something was typed', async () => {
      const name = page.getByLabel('Name', { exact: true })
      const notes = page.getByLabel('Notes')
      const cancel = page.getByRole('button', { name: 'Cancel' })
      const dialog = page.getByRole('dialog')
      const open = () => page.getByRole('banner').getByRole('link', { name: 'Add Founder' }).click()
      await visit(page, '/my-records?search=engine')
      await open()
      await cancel.click()
      await expect(page).toHaveURL('/my-records?search=engine')
      await open()
      await expect(name).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(page).toHaveURL('/my-records?search=engine')
      await open()
      await notes.fill('Typed.')
      await cancel.click()
      const question = await dialog.textContent()
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(notes).toHaveValue('Typed.')
      await notes.focus()
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveText(question ?? '')
      await dialog.getByRole('button', { name: 'Discard' }).click()
      await expect(page).toHaveURL('/my-records?search=engine')
    })
    await test.step('an address without https:// is completed on leaving its field and on Enter, and Undo takes it back', async () => {
      await visit(page, '/founders/add')
      const address = page.getByLabel('LinkedIn profile')
      const undo = page.getByRole('button', { name: 'Undo completing the address' })
      await address.fill('linkedin.com/in/maya')
      await page.keyboard.press('Tab')
      await expect(address).toHaveValue('https://linkedin.com/in/maya')
      await expect(page.getByText('The address was completed')).toBeAttached()
      await expectAccessible(page)
      await undo.click()
      await expect(address).toHaveValue('linkedin.com/in/maya')
      await expect(undo).toHaveCount(0)
      await address.focus()
      await page.keyboard.press('Tab')
      await expect(address).toHaveValue('linkedin.com/in/maya')
      await address.fill('linkedin.com/in/other')
      await page.keyboard.press('Enter')
      await expect(address).toHaveValue('https://linkedin.com/in/other')
      await expect(page.getByText('Name is required')).toBeVisible()
      await expect(page.getByText(/^Enter a full URL/)).toHaveCount(0)
    })
  })
})

test('After adding, the new card has the focus, and Add another stands above the list until it is left', async ({
  page,
}) => {
  await join(page)
  const name = `Ada ${own('Added')}`
  await page.goto('/founders/add')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('LinkedIn profile').fill('https://www.linkedin.com/in/ada')
  await page.getByLabel('Notes').fill('Met.')
  await page.getByRole('button', { name: 'Add to Network' }).click()
  await expect(page.getByRole('article', { name, exact: true })).toBeFocused()
  await expect(page.getByText(`${name} was added`)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('searchbox').fill('Ada')
  await page.getByRole('link', { name: 'Add another' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await page.getByRole('banner').getByRole('link', { name: 'Sourcebook' }).click()
  await page.goto('/founders')
  await expect(page.getByRole('article', { name, exact: true })).toBeVisible()
  await expect(page.getByText(`${name} was added`)).toHaveCount(0)
})

test.describe('On touch', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

  test('On a phone the button that adds is above the bottom bar, and text is 16 pixels high', async ({ page }) => {
    await test.step('text in fields is 16 pixels high, so that phones do not zoom', async () => {
      const sizes = () =>
        page
          .locator('input:not([type=radio], [type=checkbox]):not([hidden]), textarea')
          .evaluateAll((fields) => fields.map((field) => getComputedStyle(field).fontSize))
      await page.goto('/auth')
      await expect(page.getByLabel('Email')).toBeVisible()
      expect(await sizes()).toEqual(['16px'])
      await join(page)

      for (const [path, count] of [
        ['/founders/add', 3],
        ['/companies/add', 4],
        ['/founders', 1],
        ['/account', 3],
      ] as const) {
        await visit(page, path)
        await expect(page.getByRole('textbox').or(page.getByRole('searchbox')).first()).toBeVisible()
        await expect.poll(sizes).toEqual(Array.from({ length: count }, () => '16px'))
      }
    })
    await test.step('the keyboard of each field is right, and the stars take one swipe', async () => {
      await visit(page, '/founders/add')
      const name = page.getByLabel('Name', { exact: true })
      await expect(name).toHaveAttribute('autocapitalize', 'words')
      await expect(name).toHaveAttribute('enterkeyhint', 'next')
      const profile = page.getByLabel('LinkedIn profile')
      await expect(profile).toHaveAttribute('inputmode', 'url')
      await expect(profile).toHaveAttribute('autocapitalize', 'none')
      const star = (rating: number) => page.getByRole('radio', { name: `${rating} of 10` })
      await star(2).scrollIntoViewIfNeeded()
      const [from, to] = [await star(2).boundingBox(), await star(8).boundingBox()]
      const touch = await page.context().newCDPSession(page)
      const at = (box: typeof from, part: number) => ({
        touchPoints: [{ x: (box?.x ?? 0) + part * (box?.width ?? 0), y: (box?.y ?? 0) + 20 }],
      })
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(from, 0.5) })
      for (const part of [1.5, 3.5])
        await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(from, part) })
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(to, 0.5) })
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      await expect(star(8)).toBeChecked()
      await star(5).click({ force: true })
      await expect(star(5)).toBeChecked()
    })
    await test.step('segments and switches are 40 pixels to touch', async () => {
      for (const [path, targets] of [
        ['/pipeline', '.mantine-SegmentedControl-label'],
        ['/account', '.mantine-Switch-body'],
      ] as const) {
        await visit(page, path)
        await expect(page.locator(targets).first()).toBeVisible()
        const heights = await page
          .locator(targets)
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
        for (const height of heights) expect(height).toBeGreaterThanOrEqual(40)
      }
    })
    await test.step('the button that adds is never under the bottom bar, which gives way to the keyboard', async () => {
      for (const [path, title] of [
        ['/founders/add', 'Add Founder'],
        ['/companies/add', 'Add Company'],
      ] as const) {
        await visit(page, path)
        await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
        const add = page.getByRole('main').locator('button[type=submit]')
        const bar = page.getByRole('navigation', { name: 'Main' })
        for (const height of [844, 600]) {
          await page.setViewportSize({ width: 390, height })
          const [button, nav] = [await add.boundingBox(), await bar.boundingBox()]
          expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(nav?.y ?? 0)
        }
        await page.setViewportSize({ width: 390, height: 844 })
        const setHeight = (height: number) =>
          page.evaluate((height) => {
            Object.defineProperty(window.visualViewport, 'height', { value: height, configurable: true })
            window.visualViewport?.dispatchEvent(new Event('resize'))
          }, height)
        await setHeight(500)
        await expect(bar).toBeHidden()
        await setHeight(844)
        await expect(bar).toBeVisible()
      }
    })
  })
})
