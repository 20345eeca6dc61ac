import { FINDERS_NAMED, type Finder, type FinderSummary } from '#contract/finder.ts'
import type { Caller } from '#server/auth/session.ts'
import type { FinderRow } from './store.ts'

/** Finders as the caller sees them. Two fellows may share a name, so a page cannot recognise its own user by name. */
export const presentFinders = (caller: Caller, rows: FinderRow[]): Finder[] =>
  rows.map(({ accountId, fellowId, name, foundAt, via }) => ({
    fellow: { id: fellowId, name },
    isMe: accountId === caller.id,
    ...{ foundAt, via },
  }))

/** The finders of a record in a list. */
export const summarizeFinders = (caller: Caller, rows: FinderRow[] = []): FinderSummary => ({
  names: rows.slice(0, FINDERS_NAMED).map(({ name }) => name),
  count: rows.length,
  mine: rows.some(({ accountId }) => accountId === caller.id),
})
