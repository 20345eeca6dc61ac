import type { Page } from '@playwright/test'
import { expect } from './product.ts'

type Name = string | RegExp
type Role = 'link' | 'button' | 'checkbox' | 'radio' | 'menuitem'

/**
 * A task as a person does it who knows only what the screen calls its parts. Each press, choice and text is one act.
 * Parts are found by their accessible names, so a walk fails as well when the screen no longer has the words of its task.
 */
export function walk(page: Page) {
  const acts: string[] = []
  const act = async (words: string, perform: () => Promise<unknown>) => {
    acts.push(words)
    await perform()
  }
  const named = (role: Role, name: Name) => page.getByRole(role, { name, exact: typeof name === 'string' })
  return {
    press: (role: Role, name: Name) => act(`press ${name}`, () => named(role, name).click()),
    pressWithShift: (role: Role, name: Name) =>
      act(`press ${name} with Shift`, () => named(role, name).click({ modifiers: ['Shift'] })),
    choose: (field: string, option: string) =>
      act(`choose ${option}`, () => page.getByLabel(field).selectOption(option)),
    fill: (field: string, text: string) =>
      act(`fill ${field}`, () =>
        page.getByLabel(field, { exact: true }).and(page.locator('input, textarea')).fill(text),
      ),
    key: (key: string) => act(`key ${key}`, () => page.keyboard.press(key)),
    expectActs: (most: number) => expect(acts.length, acts.join(', ')).toBeLessThanOrEqual(most),
  }
}
