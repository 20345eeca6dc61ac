import { fold, foldWithOrigins } from '#contract/fold.ts'

type Part = { text: string; isMatch: boolean; at: number }

/** Splits the text at the matches of `search`. Compares as the server does. */
export const markMatches = (text: string, search: string): Part[] => {
  const sought = fold(search)
  if (sought === '' || !fold(text).includes(sought)) return [{ text, isMatch: false, at: 0 }]

  // Where letters fold together, the mark covers all of them.
  const { folded, origins } = foldWithOrigins(text)
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
