type Key = Pick<KeyboardEvent, 'key' | 'code'>

/** A digit of any script, such as Arabic or full-width ones, is the same number. */
const asDigit = (character: string) => {
  const code = character.codePointAt(0) ?? 0
  let zero = code
  while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String(code - zero)
}

/**
 * The characters that a key stands for, in lower case: the typed one, and on a layout without Latin letters the one that
 * is at this place of a keyboard with them. A full-width character is the ordinary one. Empty for any other key.
 */
export function charactersOf({ key, code }: Key): string[] {
  const [typed = '', ...more] = [...key.normalize('NFKC').toLowerCase()]
  if (typed === '' || more.length > 0) return []
  if (/^\p{Nd}$/u.test(typed)) return [asDigit(typed)]
  const isOtherScript = /^\p{L}$/u.test(typed) && !/^\p{Script=Latin}$/u.test(typed)
  const placed = isOtherScript ? /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() : undefined
  return placed === undefined ? [typed] : [typed, placed]
}

/** Without accents, so that `e` is the first letter of *Évaluation*. */
export const withoutAccents = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '')

export type Modifiers = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey' | 'getModifierState'>

/** Whether a key is pressed for a command. AltGr, which Windows reports as Ctrl and Alt, only types a character. */
export const hasModifier = (event: Modifiers) =>
  !event.getModifierState('AltGraph') && (event.ctrlKey || event.metaKey || event.altKey)
