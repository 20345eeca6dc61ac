/** The lines of the inbox by their kinds. *For you* asks something of its reader, *News* tells something. */
export const inboxKinds = {
  mention: 'you',
  given: 'you',
  opinion: 'you',
  again: 'you',
  approval: 'you',
  followed: 'news',
  many: 'news',
  search: 'news',
} as const satisfies Record<string, 'you' | 'news'>

export type InboxKindName = keyof typeof inboxKinds
export type InboxGroup = (typeof inboxKinds)[InboxKindName]

export const inboxKindNames = Object.keys(inboxKinds) as InboxKindName[]

/** The highest number on the bell. */
export const INBOX_COUNT_MAX = 100
/** The number of lines that one call marks by their keys. */
export const INBOX_KEYS_MAX = 500
