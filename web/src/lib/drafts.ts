/**
 * What was typed and not yet sent, kept in this tab for the account that typed it: a session that ends in the middle of
 * a form costs nobody their words.
 */
export type DraftPlace = { account: string; form: string }

const PREFIX = 'draft:'
const keyOf = ({ account, form }: DraftPlace) => `${PREFIX}${account}:${form}`

/** As JSON, beside what is stored: where storage is full or forbidden, drafts still last as long as the page. */
const kept = new Map<string, string>()
const listeners = new Set<() => void>()

const tell = () => {
  for (const listener of listeners) listener()
}

const stored = (key: string) => {
  try {
    return kept.get(key) ?? sessionStorage.getItem(key)
  } catch {
    return null
  }
}

export const drafts = {
  read: (place: DraftPlace): unknown => {
    try {
      return JSON.parse(stored(keyOf(place)) ?? 'null')
    } catch {
      return null
    }
  },

  keep: (place: DraftPlace, values: object | string) => {
    const key = keyOf(place)
    const text = JSON.stringify(values)
    kept.set(key, text)
    try {
      sessionStorage.setItem(key, text)
    } catch {
      // The page still holds the text.
    }
    tell()
  },

  drop: (place: DraftPlace) => {
    kept.delete(keyOf(place))
    sessionStorage.removeItem(keyOf(place))
    tell()
  },

  /** On signing out by choice: the next person at this tab finds nothing. */
  dropAll: () => {
    kept.clear()
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
    tell()
  },

  /** Calls `listener` whenever a draft may have changed, until the function that it returns is called. */
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}
