/** `3 skipped: Only a manager can… (2), This record is gone (1)`. Nothing without any. */
export function leftOutWords(word: string, left: { sentence: string }[]): string {
  if (left.length === 0) return ''
  const counts = new Map<string, number>()
  for (const { sentence } of left) counts.set(sentence, (counts.get(sentence) ?? 0) + 1)
  const reasons = [...counts].map(([sentence, count]) => {
    const bare = sentence.replace(/\.$/, '')
    return counts.size === 1 ? bare : `${bare} (${count})`
  })
  return ` ${left.length} ${word}: ${reasons.join(', ')}.`
}
