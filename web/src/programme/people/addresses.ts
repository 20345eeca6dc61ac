/** Without what mail programs and spreadsheets put around an address: brackets, quotes, `mailto:`, invisible characters. */
const plain = (word: string) =>
  word
    .replaceAll(/\p{Cf}/gu, '')
    .replace(/^["'“”‘’<([]*(?:mailto:)?/i, '')
    .replace(/(?:\?\S*)?["'“”‘’>)\],;.]*$/, '')

/**
 * The email addresses in pasted text, each once. Of `Ada Byron <a@uni.edu>` it is the one in brackets. Words without an @
 * count as the name before an address, and as wrong addresses where there is none, so that none is left out without a word.
 */
export function addressesIn(text: string): string[] {
  const entries = text.split(/[\n\r,;]+/).flatMap((entry, at, all) => {
    // The surname in `Byron, Ada <a@uni.edu>`.
    if (!entry.includes('@') && all[at + 1]?.includes('<')) return []
    const words = entry.split(/\s+/).map(plain).filter(Boolean)
    const addresses = words.filter((word) => word.includes('@'))
    return addresses.length > 0 ? addresses : words
  })
  return [...new Map(entries.map((entry) => [entry.toLowerCase(), entry])).values()]
}
