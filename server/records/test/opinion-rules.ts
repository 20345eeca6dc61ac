import { cohortValue } from '../cohorts/cohort.ts'
import { notedSince } from '../cohorts/since.ts'
import type { Rule } from './list-world.ts'

/** Imported notes alone, all notes, and none. */
const SPANS: [number, number][] = [
  [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 3)],
  [0, Date.UTC(3000, 0)],
  [0, 1],
]

export const opinionRules: Record<'opinion' | 'cohort', Rule> = {
  opinion: {
    values: () => ['missing'],
    shows: ({ opinionCount, opinionBy }, _value, { caller }) => opinionCount !== undefined && !opinionBy[caller],
  },
  // Of those behind numbers: My Records with notes of others in a span of time. `since.test.ts` has the others.
  cohort: {
    values: () => SPANS.map((span) => cohortValue(notedSince, ...span)),
    shows: ({ foundBy, notedBy, notesOf }, value, { world, caller }) => {
      const [, from, until] = JSON.parse(Buffer.from(value, 'base64url').toString())
      const me = world.fellows[caller]?.account.email
      const isMine = foundBy[caller] === true || notedBy[caller] === true
      return isMine && notesOf.some(({ author, at }) => author !== me && at > from && at <= until)
    },
  },
}
