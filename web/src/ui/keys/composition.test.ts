import { expect, it } from 'vitest'
import { ignoreKeysOfCompositions } from './composition.ts'

const keys: { of: string; event: object; isOurs: boolean }[] = [
  { of: 'a key', event: { key: 'Enter', keyCode: 13 }, isOurs: true },
  { of: 'Escape', event: { key: 'Escape', keyCode: 27 }, isOurs: true },
  { of: 'the Enter of an input method', event: { key: 'Enter', keyCode: 13, isComposing: true }, isOurs: false },
  { of: 'the Escape of an input method', event: { key: 'Escape', isComposing: true }, isOurs: false },
  { of: 'the Enter that ends a composition in Safari', event: { key: 'Enter', keyCode: 229 }, isOurs: false },
  { of: 'a dead key', event: { key: 'Dead', keyCode: 192 }, isOurs: false },
]

it.each(keys)('The page hears of $of: $isOurs', ({ event, isOurs }) => {
  const target = new EventTarget()
  ignoreKeysOfCompositions(target as unknown as Window)
  let heard = false
  target.addEventListener('keydown', () => {
    heard = true
  })
  target.dispatchEvent(Object.assign(new Event('keydown'), event))
  expect(heard).toBe(isOurs)
})
