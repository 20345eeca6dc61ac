import { describe, expect, it } from 'vitest'
import { charactersOf, hasModifier, withoutAccents } from './characters.ts'

const keys: [layout: string, key: string, code: string, characters: string[]][] = [
  ['English', 'J', 'KeyJ', ['j']],
  ['Dvorak', 'k', 'KeyV', ['k']],
  ['German, Y for Z', 'z', 'KeyY', ['z']],
  ['French, a digit with Shift', '7', 'Digit7', ['7']],
  ['French, the same key without Shift', 'è', 'Digit7', ['è']],
  ['the number pad', '8', 'Numpad8', ['8']],
  ['Russian', 'о', 'KeyJ', ['о', 'j']],
  ['Greek', 'σ', 'KeyS', ['σ', 's']],
  ['Hebrew', 'ח', 'KeyJ', ['ח', 'j']],
  ['Arabic digits', '٣', 'Digit3', ['3']],
  ['Devanagari digits', '९', 'Digit9', ['9']],
  ['full-width', 'Ｓ', 'KeyS', ['s']],
  ['full-width digits', '１', 'Digit1', ['1']],
  ['an accented letter', 'é', 'Digit2', ['é']],
  ['a named key', 'Enter', 'Enter', []],
  ['a dead key', 'Dead', 'Quote', []],
]

describe('A key stands for', () => {
  it.each(keys)('the characters of its layout: %s', (_layout, key, code, characters) => {
    expect(charactersOf({ key, code })).toEqual(characters)
  })

  it('a command with Ctrl, ⌘ or Alt, but not with AltGr, which Windows reports as both', () => {
    const pressed = (held: object, isAltGraph = false) =>
      hasModifier({ ctrlKey: false, metaKey: false, altKey: false, ...held, getModifierState: () => isAltGraph })
    expect([pressed({}), pressed({ ctrlKey: true }), pressed({ metaKey: true }), pressed({ altKey: true })]).toEqual([
      ...[false, true, true, true],
    ])
    expect(pressed({ ctrlKey: true, altKey: true }, true)).toBe(false)
  })

  it('the first letter of a name with an accent', () => {
    expect(withoutAccents('Évaluation')).toBe('Evaluation')
  })
})
