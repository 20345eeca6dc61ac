import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import decodeQR from 'qr/decode.js'
import sharp from 'sharp'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScrollAtAnyWidth,
  join,
  PASSWORD,
  test,
  toast,
  visit,
} from './product.ts'

const section = (page: Page) => page.getByRole('region', { name: 'Two-factor sign-in' })
const press = (page: Page, name: string) => section(page).getByRole('button', { name, exact: true }).click()
const passwordField = (page: Page) => section(page).getByLabel('Your password')
const codeField = (page: Page) => page.getByRole('textbox', { name: 'Code' })
const signInCode = (page: Page) => page.getByRole('textbox', { name: 'Enter the code' })

/** The codes of an authenticator app. Each code works once, so another sign-in needs the next one. */
const appOf = (secret: string) => {
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  return { now: () => app.generate(), next: () => app.generate({ timestamp: Date.now() + 30_000 }) }
}

/** Signed in, with the second factor switched on without the screens. */
const haveTwoFactor = async (page: Page) => {
  const { email } = await join(page)
  const { body: setup } = await callApi(page, 'POST', '/account/two-factor', { password: PASSWORD })
  const app = appOf(setup.secret)
  const { body } = await callApi(page, 'POST', '/account/two-factor/confirm', { code: app.now() })
  return { email, app, recoveryCodes: body.recoveryCodes as string[] }
}

const signOut = async (page: Page) => {
  // A page with a live stream would get a 401, and go to /auth by itself.
  await page.goto('about:blank')
  await callApi(page, 'POST', '/auth/logout')
}

const signInAsFarAsTheCode = async (page: Page, email: string) => {
  await page.goto('/auth')
  await page.getByLabel('Email').fill(email)
  await page.keyboard.press('Enter')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(signInCode(page)).toBeFocused()
}

/** Reads the QR code on the page, as a camera does. */
const readQr = async (page: Page) => {
  const drawn = await page
    .getByRole('img', { name: 'QR code for an authenticator app' })
    .screenshot({ scale: 'device' })
  const { data, info } = await sharp(drawn).resize({ width: 600, kernel: 'nearest' }).ensureAlpha().raw().toBuffer({
    resolveWithObject: true,
  })
  return decodeQR({ width: info.width, height: info.height, data: new Uint8Array(data) })
}

test.describe('Setting up two-factor sign-in', () => {
  test('leads from the password over the QR code to recovery codes, by keyboard alone, at any width, and back without switching it on', async ({
    page,
    context,
  }) => {
    const { email } = await join(page)
    await test.step('Cancel and Escape go back, with a question if something was typed, and switch nothing on', async () => {
      await visit(page, '/account')
      const dialog = page.getByRole('dialog')
      await press(page, 'Set up')
      await press(page, 'Cancel')
      await expect(section(page).getByRole('button', { name: 'Set up' })).toBeFocused()
      await press(page, 'Set up')
      await passwordField(page).fill(PASSWORD)
      await press(page, 'Cancel')
      await dialog.getByRole('button', { name: 'Keep editing' }).click()
      await expect(passwordField(page)).toHaveValue(PASSWORD)
      await passwordField(page).press('Enter')
      await codeField(page).fill('123')
      await page.keyboard.press('Escape')
      await dialog.getByRole('button', { name: 'Discard' }).click()
      await expect(section(page)).toContainText('Off.')
      expect((await callApi(page, 'GET', '/account')).body.twoFactor.enabled).toBe(false)
    })
    await test.step('leads from the password over the QR code to recovery codes, by keyboard alone, at any width', async () => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])

      await visit(page, '/account')
      await expect(section(page)).toContainText('Off.')
      await section(page).getByRole('button', { name: 'Set up' }).focus()
      await page.keyboard.press('Enter')
      await expect(passwordField(page)).toBeFocused()
      await expect(passwordField(page)).toHaveAttribute('autocomplete', 'current-password')
      await page.keyboard.type(PASSWORD)
      await page.keyboard.press('Enter')

      await expect(codeField(page)).toBeFocused()
      await expect(codeField(page)).toHaveAttribute('autocomplete', 'one-time-code')
      await expectAccessible(page)
      const uri = await readQr(page)
      expect(uri).toContain('otpauth://totp/')
      expect(decodeURIComponent(uri)).toContain(email)
      await expectNoSidewaysScrollAtAnyWidth(page)
      const secret = (await section(page).locator('code').innerText()).replaceAll(' ', '')
      expect(new URL(uri).searchParams.get('secret')).toBe(secret)
      await expect(section(page).getByRole('link', { name: 'open the app' })).toHaveAttribute('href', uri)
      await press(page, 'Copy key')
      await expect(section(page).getByRole('button', { name: 'Copied' })).toBeVisible()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)

      await codeField(page).focus()
      await page.keyboard.type(appOf(secret).now())
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeFocused()
      await expectAccessible(page)
      const codes = await section(page).getByRole('listitem').allInnerTexts()
      expect(codes).toHaveLength(10)
      await expectNoSidewaysScrollAtAnyWidth(page)

      await expect(section(page).getByRole('button', { name: 'Done' })).toBeDisabled()
      await press(page, 'Copy all')
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'))
      const coming = page.waitForEvent('download')
      await press(page, 'Download')
      const file = await coming
      expect(file.suggestedFilename()).toBe('sourcebook-recovery-codes.txt')
      expect(await readFile(await file.path(), 'utf8')).toContain(codes.join('\n'))

      await page.getByLabel('I have saved them').focus()
      await page.keyboard.press('Space')
      await press(page, 'Done')
      await expect(section(page)).toContainText('You have 10 recovery codes left.')
      await expect(section(page).getByRole('listitem')).toHaveCount(0)
      await expect(section(page).getByRole('button', { name: 'New recovery codes' })).toBeFocused()
    })
  })
})

test.describe('Signing in with a second factor', () => {
  test('asks for the code, keeps a wrong one with the reason, and has a field with letters for a recovery code', async ({
    page,
    complaints,
  }) => {
    const { email, app, recoveryCodes } = await haveTwoFactor(page)
    await signOut(page)
    await test.step('has a field with letters for a recovery code, and after it has expired starts again at the address', async () => {
      await signInAsFarAsTheCode(page, email)
      await page.context().clearCookies({ name: 'two-factor' })
      await page.getByRole('button', { name: 'Enter a recovery code' }).click()
      await expect(signInCode(page)).toBeFocused()
      await expect(signInCode(page)).toHaveAttribute('inputmode', 'text')
      await page.keyboard.type(recoveryCodes[0] as string)
      await page.keyboard.press('Enter')
      await expect(page.getByText('This sign-in has expired. Enter your password again.')).toBeVisible()
      await page.getByRole('button', { name: '← Use different email address' }).click()
      await expect(page.getByLabel('Email')).toHaveValue(email)
      expectNoComplaintsButOf(complaints, 401)
    })
    await test.step('asks for the code, keeps a wrong one with the reason, and accepts the right one', async () => {
      await signInAsFarAsTheCode(page, email)
      await expect(page.getByLabel('Email')).toHaveValue(email)
      await expect(signInCode(page)).toHaveAttribute('autocomplete', 'one-time-code')
      await expect(signInCode(page)).toHaveAttribute('inputmode', 'numeric')
      await expectAccessible(page)
      await page.keyboard.press('Enter')
      await expect(page.locator('.mantine-InputWrapper-error')).toHaveText('Enter the code')
      await page.keyboard.insertText('000 000')
      await page.keyboard.press('Enter')
      await expect(page.getByText('This code is wrong or has already been used')).toBeVisible()
      await expect(signInCode(page)).toHaveValue('000 000')
      await expect(signInCode(page)).toBeFocused()
      await signInCode(page).fill(app.next())
      await page.keyboard.press('Enter')
      await expect(toast(page, 'Welcome back!')).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
      expectNoComplaintsButOf(complaints, 401)
    })
  })
})

test('With two-factor sign-in on, new codes and switching it off ask for both factors, at their fields', {
  tag: '@slow',
}, async ({ page, complaints }) => {
  const { app, recoveryCodes } = await haveTwoFactor(page)
  const submit = (value: string) => page.keyboard.type(value).then(() => page.keyboard.press('Enter'))
  await page.goto('/account')
  await press(page, 'New recovery codes')
  await expect(section(page)).toContainText('Your current codes will stop working.')
  await expect(passwordField(page)).toBeFocused()
  await expectAccessible(page)
  await expectNoSidewaysScrollAtAnyWidth(page)
  await submit('not the password')
  await expect(section(page).getByText('Enter the code')).toBeVisible()
  await expect(codeField(page)).toBeFocused()
  await submit(app.next())
  await expect(section(page).getByText('This is not your password')).toBeVisible()
  await expect(passwordField(page)).toBeFocused()
  await passwordField(page).fill(PASSWORD)
  await press(page, 'Create new codes')
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeFocused()
  const codes = await section(page).getByRole('listitem').allInnerTexts()
  expect(codes).toHaveLength(10)
  expect(codes.filter((code) => recoveryCodes.includes(code))).toEqual([])
  await page.getByLabel('I have saved them').check()
  await press(page, 'Done')

  await press(page, 'Switch off')
  const question = page.getByRole('dialog', { name: 'Switch off two-factor sign-in?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toHaveCount(0)
  await expect(passwordField(page)).toHaveCount(0)
  await press(page, 'Switch off')
  await question.getByRole('button', { name: 'Switch off' }).click()
  await expect(passwordField(page)).toBeFocused()
  await expectAccessible(page)
  await passwordField(page).fill(PASSWORD)
  await codeField(page).focus()
  await submit('000000')
  await expect(section(page).getByText('This code is wrong or has already been used')).toBeVisible()
  await expect(codeField(page)).toHaveValue('000000')
  await expect(codeField(page)).toBeFocused()
  await codeField(page).fill(codes[0] as string)
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Two-factor sign-in is off')).toBeVisible()
  await expect(section(page)).toContainText('Off.')
  expectNoComplaintsButOf(complaints, 400)
})
