import type { ComponentType, ReactNode } from 'react'
import { foldWithoutMarks } from '#contract/fold.ts'

/** One line of the palette. */
export type PaletteItem = {
  id: string
  label: string
  detail?: ReactNode
  key?: string | undefined
  Icon?: ComponentType<{ size: number; stroke: number }> | undefined
  /** In place of an icon. */
  picture?: { src: string | undefined; isSquare: boolean } | undefined
  run: () => void
}

export type PaletteGroup = { label: string; items: PaletteItem[] }

/** Those that contain every typed word, in whatever order. */
export function matching(items: PaletteItem[], typed: string): PaletteItem[] {
  const words = foldWithoutMarks(typed).split(/\s+/)
  return items.filter(({ label }) => words.every((word) => foldWithoutMarks(label).includes(word)))
}
