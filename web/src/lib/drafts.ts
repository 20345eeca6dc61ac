/**
 * What was typed and not yet sent, kept in this tab for the account that typed it: a session that ends in the middle of
 * a form costs nobody their words.
 */
export type DraftPlace = { account: string; form: string }

const PREFIX = 'draft:'
const keyOf = ({ account, form }: DraftPlace) => `${PREFIX}${account}:${form}`

export const drafts = {
  read: (place: DraftPlace): unknown => {
    try {
      return JSON.parse(sessionStorage.getItem(keyOf(place)) ?? 'null')
    } catch {
      return null
    }
  },

  keep: (place: DraftPlace, values: object) => {
    try {
      sessionStorage.setItem(keyOf(place), JSON.stringify(values))
    } catch {
      // Storage is full or forbidden: the form itself still holds the text.
    }
  },

  drop: (place: DraftPlace) => sessionStorage.removeItem(keyOf(place)),

  /** On signing out by choice: the next person at this tab finds nothing. */
  dropAll: () => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  },
}
