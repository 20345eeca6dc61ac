import type { CohortKind } from './cohort.ts'
import { figureCohorts } from './figures.ts'
import { sinceCohorts } from './since.ts'

/** Every kind of cohort. Each reads its own parameters. */
export const cohortKinds = [...sinceCohorts, ...figureCohorts] as unknown as CohortKind<unknown[]>[]
