import type { Opinion, Opinions } from '#contract/opinion.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import type { OpinionRow, OpinionsOfRecord } from './store.ts'

/** The opinions on a record, for one caller. */
export function presentOpinions(caller: Account, { rows, given, revealedAt }: OpinionsOfRecord): Opinions {
  const mine = rows.find(({ accountId }) => accountId === caller.id)
  const isOfToken = caller.token !== undefined
  const canRead = !isOfToken && canReadOpinions({ hasGiven: mine !== undefined, isRevealed: revealedAt !== null })
  return {
    // That two merged records have an author in common would say who gave a blind opinion.
    count: canRead ? rows.length : given,
    mine: mine ? presentOwn(mine) : null,
    ...(canRead ? readable(caller, rows) : { others: null, median: null, spread: null }),
    revealedAt: revealedAt?.toISOString() ?? null,
  }
}

function readable(caller: Account, rows: OpinionRow[]) {
  const ratings = rows.map(({ rating }) => rating).toSorted((a, b) => a - b)
  const [lowest, highest] = [ratings[0], ratings.at(-1)]
  return {
    others: rows.filter(({ accountId }) => accountId !== caller.id).map(presentOther),
    median: medianOf(ratings),
    spread: lowest === undefined || highest === undefined ? null : highest - lowest,
  }
}

const presentOwn = ({ rating, comment, givenAt, changedAt, isAfterReading }: OpinionRow) => ({
  ...{ rating, comment, isAfterReading },
  givenAt: givenAt.toISOString(),
  changedAt: changedAt?.toISOString() ?? null,
})

const presentOther = (row: OpinionRow): Opinion => ({
  ...presentOwn(row),
  fellow: { id: row.fellowId, name: row.author },
})

/** Of sorted numbers. Between two in the middle, half way. */
export function medianOf(sorted: number[]): number | null {
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}

// Blindness: until the caller has given an opinion, or a manager has revealed all, the server gives only their number.
// Managers are no exception. A token only ever gets their number.

/** What blindness depends on. */
type Visibility = { hasGiven: boolean; isRevealed: boolean }

const canReadOpinions = ({ hasGiven, isRevealed }: Visibility): boolean => hasGiven || isRevealed
