/** Imported notes alone, all notes, and none. */
const SPANS: [number, number][] = [
  [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 3)],
  [0, Date.UTC(3000, 0)],
  [0, 1],
]

/** What the rules know of a record. */
export type Judged = {
  foundBy: boolean[]
  notedBy: boolean[]
  opinionCount?: number
  opinionBy: boolean[]
  notesOf: { author: string; at: number }[]
}
type Context = { world: { fellows: { account: { email: string } }[] }; caller: number }

export const opinionRules = {
  opinion: {
    values: () => ['missing'],
    shows: ({ opinionCount, opinionBy }: Judged, _value: string, { caller }: Context) =>
      opinionCount !== undefined && !opinionBy[caller],
  },
  // A span, signed for its caller by `parametersOf`. Of those behind numbers: My Records with notes of others in a span of time. `since.test.ts` has the others.
  cohort: {
    values: () => SPANS.map((span) => JSON.stringify(span)),
    shows: ({ foundBy, notedBy, notesOf }: Judged, value: string, { world, caller }: Context) => {
      const [from, until] = JSON.parse(value)
      const me = world.fellows[caller]?.account.email
      const isMine = foundBy[caller] === true || notedBy[caller] === true
      return isMine && notesOf.some(({ author, at }) => author !== me && at > from && at <= until)
    },
  },
}
