import { sinceCohorts } from './since.ts'

/** Every kind of cohort. */
export const cohortKinds = [...sinceCohorts]
