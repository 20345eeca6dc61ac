import type { SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Account } from '#server/auth/session.ts'
import { invalid } from '#server/http/errors.ts'
import type { RecordKind } from '../kind.ts'

// A cohort is the filter behind a number: the list that it shows has exactly the records that were counted. On the wire it
// is opaque, and it is that of the caller: an account that opens the link of another one sees its own records. A cohort of the
// figures of the programme is the same for every manager, and refused to others.

export type CohortContext = { kind: Pick<RecordKind, 'name'>; caller: Pick<Account, 'id' | 'role'> }

/** What a list of the cohort shows. */
export type CohortFilter = {
  /** Only My Records, which are read through the memberships of the caller. */
  isMine?: boolean
  condition: SQL
}

/** One kind of cohort. Its parameters are those of the number. */
export type CohortKind<Params extends unknown[]> = {
  name: string
  params: z.ZodType<Params>
  filter: (context: CohortContext, ...params: Params) => CohortFilter
}

export const cohortValue = <Params extends unknown[]>({ name }: CohortKind<Params>, ...params: Params): string =>
  Buffer.from(JSON.stringify([name, ...params])).toString('base64url')

const Content = z.tuple([z.string()], z.unknown())

/** Throws the 400 for anything that is not the value of one of these kinds. */
export function readCohort<Params extends unknown[]>(
  kinds: readonly CohortKind<Params>[],
  value: string,
  context: CohortContext,
): CohortFilter {
  const content = Content.safeParse(contentOf(value))
  const [name, ...given] = content.data ?? []
  const kind = kinds.find((one) => one.name === name)
  const params = kind?.params.safeParse(given)
  // One spelling, so that one list has one address.
  if (!kind || !params?.success || cohortValue(kind, ...params.data) !== value) {
    throw invalid({ cohort: 'This cohort is not valid' })
  }
  return kind.filter(context, ...params.data)
}

function contentOf(value: string): unknown {
  try {
    return JSON.parse(Buffer.from(value, 'base64url').toString())
  } catch {
    return undefined
  }
}
