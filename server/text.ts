/** Folds text, so that differences of case and compatibility form disappear. */
export const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
