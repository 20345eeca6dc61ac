/** What the rules know of a record. */
export type Judged = {
  foundBy: boolean[]
  notedBy: boolean[]
  opinionCount?: number
  opinionBy: boolean[]
}
type Context = { caller: number }

export const opinionRules = {
  opinion: {
    values: () => ['missing'],
    shows: ({ opinionCount, opinionBy }: Judged, _value: string, { caller }: Context) =>
      opinionCount !== undefined && !opinionBy[caller],
  },
  // Signed for its caller by `parametersOf`. Of those behind numbers: what the caller has found. Tests of the others stand beside them.
  cohort: {
    values: () => [JSON.stringify(['all'])],
    shows: ({ foundBy }: Judged, _value: string, { caller }: Context) => foundBy[caller] === true,
  },
}
