import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Filter, filters, filtersOf } from '#contract/filters.ts'
import type { KindName } from '#contract/kinds.ts'
import type { ListQuery } from '#contract/record.ts'
import { isActive } from '#server/account/active-accounts.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, stages, tags } from '#server/db/schema.ts'
import { invalid } from '#server/http/errors.ts'
import type { RecordKind } from '#server/records/kind.ts'

/** The values of a list's parameters by their names, in one form for one list. */
export type StoredQuery = Readonly<Record<string, string>>

/** What a list has without the parameter. */
const DEFAULTS: StoredQuery = { sort: 'newest', mine: 'false' }

/** The parameters of a list, without those of a page, of a reader and of a moment. `view` is the page's. */
const shapeOf = ({ contract }: RecordKind) =>
  contract.ListQuery.omit({ limit: true, cursor: true, in: true, cohort: true, timeZone: true })
    .extend({ view: z.enum(['table'], { error: 'View must be table' }).optional() })
    .strict()

/** Throws the 400 for what the list would refuse. */
export function readQuery(kind: RecordKind, text: string): StoredQuery {
  const given = [...new URLSearchParams(text)]
  const values = Object.fromEntries(given)
  const repeated = given.find(([name], at) => given.findIndex(([other]) => other === name) < at)
  if (repeated) throw invalid({ query: `${JSON.stringify(repeated[0].slice(0, 50))} must be given once` })
  const { data, error } = shapeOf(kind).safeParse(values)
  const [issue] = error?.issues ?? []
  if (issue?.code === 'unrecognized_keys') {
    throw invalid({ query: `A search has no parameter ${JSON.stringify(issue.keys[0]?.slice(0, 50))}` })
  }
  if (data === undefined) throw invalid({ query: issue?.message ?? 'This list cannot be saved' })
  return normal(data)
}

/** In the order of the declared parameters. */
const normal = (values: object): StoredQuery =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => value !== undefined && value !== '' && value !== DEFAULTS[name])
      .map(([name, value]) => [name, String(value)]),
  )

/** As in the address of the list. */
export const queryText = (kind: RecordKind, stored: StoredQuery): string =>
  String(new URLSearchParams(normal(shapeOf(kind).strip().parse(stored))))

export const listQueryOf = (kind: RecordKind, stored: StoredQuery, timeZone: string | undefined): ListQuery => ({
  ...kind.contract.ListQuery.parse(stored),
  timeZone,
})

type Named = 'tag' | 'stage' | 'fellow'

const SENTENCES: Record<Named, string> = {
  tag: 'Its tag has been deleted',
  stage: 'Its stage has been archived',
  fellow: 'Its fellow is no longer active',
}

/** What the ids of a query stand for. */
const namedIn = (kind: { name: KindName }, stored: StoredQuery): { of: Named; id: string }[] =>
  filtersOf(kind).flatMap(([, { chip, parameters }]) =>
    typeof chip !== 'object' || chip === null
      ? []
      : Object.keys(parameters).flatMap((name) => {
          const id = stored[name]
          return id === undefined || id === 'none' ? [] : [{ of: chip.nameOf, id }]
        }),
  )

/** A sentence for each tag, stage and fellow of these queries that is gone. */
export async function goneIn(
  db: Database,
  searches: readonly { kind: KindName; query: StoredQuery }[],
): Promise<string[][]> {
  const named = searches.map(({ kind, query }) => namedIn({ name: kind }, query))
  const idsOf = (of: Named) => sql.param([...new Set(named.flat().flatMap((one) => (one.of === of ? one.id : [])))])
  const here =
    named.flat().length === 0
      ? []
      : await rowsOf<{ id: string }>(
          db,
          sql`select ${tags.id} from ${tags} where ${tags.id} = any (${idsOf('tag')}::uuid[])
            union all select ${stages.id} from ${stages}
              where ${stages.id} = any (${idsOf('stage')}::uuid[]) and ${stages.archivedAt} is null
            union all select ${accounts.publicId} from ${accounts}
              where ${accounts.publicId} = any (${idsOf('fellow')}::uuid[]) and ${isActive}`,
        )
  const known = new Set(here.map(({ id }) => id))
  return named.map((ids) => [...new Set(ids.flatMap(({ of, id }) => (known.has(id) ? [] : SENTENCES[of])))])
}

/** The parameters that a person chooses. What is typed into the others may mention people. */
export const CHOSEN = [
  ...['sort', 'view'],
  ...Object.values(filters).flatMap(({ parameters }: Filter) =>
    Object.entries(parameters).flatMap(([name, { takes }]) => (takes === 'text' ? [] : name)),
  ),
]
