import type { Finder } from '#contract/finder.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import type { FinderRow } from './found.ts'

/** Finders as the caller sees them. Two fellows may share a name, so a page cannot recognise its own user by name. */
export const presentFinders = (caller: Caller, rows: FinderRow[]): Finder[] =>
  rows.map(({ accountId, fellowId, name, foundAt, via }) => ({
    fellow: { id: fellowId, name },
    isMe: accountId === caller.id,
    ...{ foundAt, via },
  }))
