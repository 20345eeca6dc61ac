import type { Locator, Page } from '@playwright/test'
import { expect } from './product.ts'

type Name = string | RegExp
type Role = 'link' | 'button' | 'checkbox' | 'radio' | 'menuitem' | 'menuitemradio' | 'option'

/**
 * A task as a person does it who knows only what the screen calls its parts. Each press, choice and text is one act.
 * Parts are found by their accessible names, so a walk fails as well when the screen no longer has the words of its task.
 * A part of the screen narrows the search where several have the same words.
 */
export function walk(page: Page) {
  const acts: string[] = []
  const act = async (words: string, perform: () => Promise<unknown>) => {
    acts.push(words)
    await perform()
  }
  const named = (role: Role, name: Name, within: Page | Locator = page) =>
    within.getByRole(role, { name, exact: typeof name === 'string' })
  return {
    press: (role: Role, name: Name, within?: Locator) => act(`press ${name}`, () => named(role, name, within).click()),
    pressByKey: (role: Role, name: Name, within?: Locator) =>
      act(`press ${name}`, () => named(role, name, within).press('Enter')),
    pressWithShift: (role: Role, name: Name) =>
      act(`press ${name} with Shift`, () => named(role, name).click({ modifiers: ['Shift'] })),
    rate: (rating: number) =>
      act(`rate ${rating}`, () =>
        page
          .locator('label')
          .filter({ has: named('radio', `${rating} of 10`) })
          .click(),
      ),
    choose: (field: string, option: string, within: Page | Locator = page) =>
      act(`choose ${option}`, () => within.getByLabel(field, { exact: true }).selectOption(option)),
    fill: (field: string, text: string, within: Page | Locator = page) =>
      act(`fill ${field}`, () =>
        within.getByLabel(field, { exact: true }).and(page.locator('input, textarea')).fill(text),
      ),
    /** Types where the focus is. */
    type: (text: string) => act(`type ${text}`, () => page.keyboard.type(text)),
    key: (key: string) => act(`key ${key}`, () => page.keyboard.press(key)),
    expectActs: (most: number) => expect(acts.length, acts.join(', ')).toBeLessThanOrEqual(most),
  }
}
