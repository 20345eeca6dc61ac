import type { InboxCount } from '#contract/inbox.ts'
import { INBOX_COUNT_MAX } from '#contract/inbox-kinds.ts'

/** The number on the bell; empty for none. */
export const shownUnread = (you: number): string => {
  if (you === 0) return ''
  return you >= INBOX_COUNT_MAX ? `${INBOX_COUNT_MAX - 1}+` : String(you)
}

/** `3 for you`. */
export const forYouWords = (you: number): string => `${shownUnread(you)} for you`

/** What the bell says after its name: `3 for you and news`. */
export const bellWords = ({ you, news }: InboxCount): string =>
  [you > 0 && forYouWords(you), news && 'news'].filter(Boolean).join(' and ')
