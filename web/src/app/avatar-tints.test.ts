import { DEFAULT_THEME, defaultCssVariablesResolver, luminance, mergeMantineTheme } from '@mantine/core'
import { describe, expect, it } from 'vitest'
import { avatarTints } from './avatar-tints.ts'
import { theme } from './theme.ts'

const resolved = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme))

/** The colour that a variable ends in. */
const colorOf = (name: string, scheme: 'light' | 'dark'): string => {
  const colors: Record<string, string> = { ...resolved.variables, ...resolved[scheme] }
  const value = colors[name] ?? ''
  const [, other] = /^var\((--[\w-]+)\)$/.exec(value) ?? []
  return other === undefined ? value : colorOf(other, scheme)
}

const contrast = (one: string, other: string) => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

describe('An avatar without a picture', () => {
  it('has one of ten tints', () => {
    expect(new Set(avatarTints).size).toBe(10)
  })

  describe.each(['light', 'dark'] as const)('in the %s scheme', (scheme) => {
    it.each(avatarTints)('shows its letter on %s at 4.5:1 or more', (tint) => {
      const letter = colorOf(`--mantine-color-${tint}-light-color`, scheme)
      const ground = colorOf(`--mantine-color-${tint}-light`, scheme)
      for (const color of [letter, ground]) expect(color).toMatch(/^(#|rgba?\()/)
      expect(contrast(letter, ground)).toBeGreaterThanOrEqual(4.5)
    })
  })
})
