import { createHmac, timingSafeEqual } from 'node:crypto'
import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { COHORT_RULE } from '#contract/filter-shapes.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { invalid } from '#server/http/errors.ts'
import { LATEST } from '#server/records/cursor.ts'
import type { RecordKind } from '#server/records/kind.ts'

// A cohort is the filter behind a number: the list that it shows has exactly the records that were counted. It is signed,
// because a span of time that a person chooses would say when something happened. It belongs to the account that got the
// number. A cohort of the figures of the programme is the same for every manager, and refused to others.

export type CohortContext = { db: Database; kind: Pick<RecordKind, 'name'>; caller: Pick<Account, 'id' | 'role'> }

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
  /** Whether it is the same for every account. */
  isShared?: boolean
  filter: (context: CohortContext, ...params: Params) => CohortFilter | Promise<CohortFilter>
}

/** Whom the cohorts of a number are for, and the secret that signs them. */
export type CohortOwner = { secret: string; caller: Pick<Account, 'id'> }

export function cohortValue<Params extends unknown[]>(
  { secret, caller }: CohortOwner,
  { name, isShared }: CohortKind<Params>,
  ...params: Params
): string {
  const content = Buffer.from(JSON.stringify([name, ...params])).toString('base64url')
  const signed = `cohort ${isShared ? 'of all' : caller.id} ${content}`
  return `${content}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

const Content = z.tuple([z.string()], z.unknown())

/** Throws the 400 for anything that is not a value of one of these kinds that the caller got with a number. */
export function readCohort<Params extends unknown[]>(
  secret: string,
  kinds: readonly CohortKind<Params>[],
  value: string,
  context: CohortContext,
): CohortFilter | Promise<CohortFilter> {
  const content = Content.safeParse(contentOf(value))
  const [name, ...given] = content.data ?? []
  const kind = kinds.find((one) => one.name === name)
  const params = kind?.params.safeParse(given)
  const isOurs =
    params?.success && isSame(cohortValue({ secret, ...context }, kind as CohortKind<Params>, ...params.data), value)
  if (!kind || !isOurs) throw invalid({ cohort: COHORT_RULE })
  return kind.filter(context, ...params.data)
}

/** Also its spelling, so that one list has one address. */
const isSame = (value: string, given: string): boolean =>
  value.length === given.length && timingSafeEqual(Buffer.from(value), Buffer.from(given))

function contentOf(value: string): unknown {
  try {
    return JSON.parse(Buffer.from(value.split('.')[0] ?? '', 'base64url').toString())
  } catch {
    return undefined
  }
}

/** In milliseconds: after the first, until the second. */
export type Span = [from: number, until: number]

const time = z.int().min(0).max(LATEST.getTime())
export const spanParams = z.tuple([time, time])

export const timeOf = (ms: number): SQL => sql`${new Date(ms).toISOString()}::timestamptz`

export const isIn = (column: SQL | AnyColumn, [from, until]: Span): SQL =>
  sql`${column} > ${timeOf(from)} and ${column} <= ${timeOf(until)}`
