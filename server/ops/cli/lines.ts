/** The width of a terminal. */
const WIDTH = 80

/** Breaks sentences into lines of at most 80 characters, further ones indented. A longer word, such as a link, stays whole. */
export function wrapped(text: string, indent = ''): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = []
    let line = ''
    // The spaces in front of a word belong to it, so that columns stay as they are.
    for (const [word] of paragraph.matchAll(/\s*\S+/g)) {
      if (line === '' || line.length + word.length <= WIDTH) line += word
      else {
        lines.push(line)
        line = indent + word.trimStart()
      }
    }
    return [...lines, line]
  })
}

/** Cuts text that is no sentence into lines of at most 80 characters, further ones indented. */
export const cut = (text: string, indent: string): string[] =>
  text.match(new RegExp(`.{1,${WIDTH - indent.length}}`, 'gu'))?.map((line, at) => (at === 0 ? line : indent + line)) ??
  []

/** People choose names, which may contain characters that control a terminal. */
export const printable = (text: string) => text.replaceAll(/\p{C}/gu, '')
