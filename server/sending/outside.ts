import { NAME_MAX_OUTSIDE } from '#contract/sending.ts'
import type { Names } from '#server/inbox/kind.ts'

/** A character that makes programs take a text for a link. */
const OF_LINKS = /[.\u3002\uff0e\uff61@]|:(?=\/)/g
const WORD_JOINER = '\u2060'

/** A name as it stands outside the page: plain text of at most 60 characters, which no program takes for a link. */
export function outsideName(name: string): string {
  const text = name.replaceAll(/\s+/gu, ' ').replaceAll(/\p{C}/gu, '').trim()
  const characters = [...text]
  const cut = characters.length > NAME_MAX_OUTSIDE ? `${characters.slice(0, NAME_MAX_OUTSIDE - 1).join('')}…` : text
  return cut.replaceAll(OF_LINKS, `$&${WORD_JOINER}`) || '…'
}

/** How a sentence outside the page names people and records: by what they are, where names are switched off. */
export const namesOutside = (showsNames: boolean): Names => ({
  fellow: showsNames ? outsideName : () => 'a fellow',
  record: showsNames ? outsideName : (_name, kind) => `a ${kind ?? 'record'}`,
  word: outsideName,
  // A person or a provider wrote it.
  value: (field) => `a new ${field}`,
})
