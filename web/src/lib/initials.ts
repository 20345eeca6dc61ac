let graphemes: Intl.Segmenter | undefined

/** The first letter as a reader sees it: one emoji, or one letter with its accents, never half of it. */
export function initialOf(name: string): string {
  // Costs a phone some milliseconds, and a list has many names.
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const [first] = graphemes.segment(name.trim())
  return first?.segment.toLocaleUpperCase() ?? '?'
}

/** The initials of the first and the last word of a name, or of its only word. */
export function initialsOf(name: string): string {
  const [first = '', ...others] = name.trim().split(/\s+/)
  const last = others.at(-1)
  return initialOf(first) + (last === undefined ? '' : initialOf(last))
}
