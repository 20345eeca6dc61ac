type Part = { text: string; isMatch: boolean; at: number }

const fold = (text: string) => text.normalize('NFKC').toLowerCase()

/** Splits the text at the matches of `search`. Compares as the server does: NFKC, lower case. */
export const markMatches = (text: string, search: string): Part[] => {
  const sought = fold(search)
  if (sought === '' || !fold(text).includes(sought)) return [{ text, isMatch: false, at: 0 }]

  // Folding may change lengths (ﬁ becomes fi), so every folded unit remembers where it came from.
  let folded = ''
  const origins: number[] = []
  let position = 0
  for (const character of text) {
    const unit = fold(character)
    folded += unit
    for (let index = 0; index < unit.length; index += 1) origins.push(position)
    position += character.length
  }
  origins.push(text.length)

  const parts: Part[] = []
  const add = (from: number, to: number, isMatch: boolean) => {
    if (to > from) parts.push({ text: text.slice(from, to), isMatch, at: from })
  }
  let done = 0
  for (let found = folded.indexOf(sought); found !== -1; found = folded.indexOf(sought, found + sought.length)) {
    const from = origins[found] ?? 0
    let end = found + sought.length
    while (end < origins.length - 1 && origins[end] === origins[end - 1]) end += 1
    const to = origins[end] ?? text.length
    add(done, from, false)
    add(Math.max(from, done), to, true)
    done = Math.max(to, done)
  }
  add(done, text.length, false)
  return parts
}
