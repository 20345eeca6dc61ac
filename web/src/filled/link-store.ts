import { withStorage } from '#web/lib/storage.ts'

// The values of a link that fills in forms. They stay in this tab, also through a sign-in, until a page has shown them.

export type LinkValues = Record<string, string>

const keyOf = (address: string) => `link:${address}`

/** In addition to storage, which may be full or blocked. */
const kept = new Map<string, string>()

export const linkStore = {
  keep: (address: string, values: unknown) => {
    const text = JSON.stringify(values)
    kept.set(keyOf(address), text)
    withStorage(() => sessionStorage.setItem(keyOf(address), text))
  },

  /** Null without a link. */
  read: (address: string): unknown =>
    JSON.parse(kept.get(keyOf(address)) ?? withStorage(() => sessionStorage.getItem(keyOf(address))) ?? 'null'),

  delete: (address: string) => {
    kept.delete(keyOf(address))
    withStorage(() => sessionStorage.removeItem(keyOf(address)))
  },
}

/** The names of the values that a page takes, and which of them have several lines. */
export type LinkNames = { names: readonly string[]; prose: readonly string[] }

/** The values of these names that have text. The form says what is too long. */
export const cleaned = (
  { names, prose }: LinkNames,
  values: { get: (name: string) => string | null | undefined },
): LinkValues =>
  Object.fromEntries(
    names
      .map((name) => [name, typeable(values.get(name) ?? '', prose.includes(name))] as const)
      .filter(([, value]) => value !== ''),
  )

/** Characters that no one sees, or that turn the text around. The joiners of scripts and of emoji are none. */
const UNSEEN =
  /[\p{Cc}\u{ad}\u{61c}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/gu
const MARK = '\u{fffd}'

/** Text that a person could have typed: what cannot be seen stands there as a mark. */
const typeable = (value: string, isProse: boolean) => {
  const text = value.toWellFormed().replaceAll('\r\n', '\n')
  const spaced = isProse ? text.replaceAll('\t', ' ') : text.replaceAll(/[\t\n\r]+/g, ' ')
  return spaced.replaceAll(UNSEEN, (character) => (character === '\n' ? character : MARK)).trim()
}
