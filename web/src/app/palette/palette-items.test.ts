import { expect, it } from 'vitest'
import { matching, type PaletteItem } from './palette-items.ts'

const item = (label: string): PaletteItem => ({ id: label, label, run: () => {} })
const items = ['Add Founder', 'Add Company', 'Dashboard', 'Café', 'Weiß’s Jean‑Luc'].map(item)
const found = (typed: string) => matching(items, typed).map(({ label }) => label)

it.each([
  ['', ['Add Founder', 'Add Company', 'Dashboard', 'Café', 'Weiß’s Jean‑Luc']],
  ["jean-luc WEISS'S", ['Weiß’s Jean‑Luc']],
  ['add', ['Add Founder', 'Add Company']],
  ['COMP ad', ['Add Company']],
  ['cafe', ['Café']],
  [' dash ', ['Dashboard']],
  ['nothing', []],
])('The palette offers for %j the commands that contain every word: %j', (typed, labels) => {
  expect(found(typed)).toEqual(labels)
})
