const firstLetter = (word: string) => {
  const [letter] = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(word)
  return letter?.segment.toLocaleUpperCase() ?? ''
}

/** The first letters, as a reader sees them, of the first and the last word of a name, or of its only one. */
export const initialsOf = (name: string) => {
  const words = name.trim().split(/\s+/)
  return firstLetter(words[0] ?? '') + (words.length > 1 ? firstLetter(words.at(-1) ?? '') : '') || '?'
}
