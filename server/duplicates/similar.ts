import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { type DuplicateReason, SIMILAR_MAX } from '#contract/duplicates.ts'
import { fold } from '#contract/fold.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, type Facts, records } from '#server/db/schema.ts'
import { creatorLabel } from '#server/lists/row.ts'
import { ALIKE, type NameParts } from '#server/names/likeness.ts'
import { isOfKind, preparedOfKind, type RecordKind } from '#server/records/kind.ts'
import { areAlike, identityOf, isCertain, type Wanted } from './identity.ts'

/** A record that looks the same. `score` orders matches, from 0 to 100. */
export type SimilarRow = {
  id: string
  name: string
  /** Surest first. */
  reasons: DuplicateReason[]
  score: number
  /** False where an address is shared by two names or profiles, or only the name is similar. */
  isCertain: boolean
  firstFinder: string | null
  foundAt: Date
}

type Candidate = Awaited<ReturnType<typeof candidatesOf>>[number]

/** Many names may share a key. The names that share all keys are read first. */
const NAMES_READ = { ofAllKeys: 20, ofAnyKey: 200 }

const SCORES: Record<DuplicateReason, number> = {
  ...{ linkedin: 100, email: 95, domain: 90 },
  ...{ same_name_company: 88, same_name: 86, name_company: 84, name: 0 },
}

/** One that is not certain comes after all that are. */
const UNSURE_MAX = 85

export const isSure = (score: number): boolean => score > UNSURE_MAX

type Finding = {
  /** The maximum number of records. */
  max?: number
  /** Whether a record with another address may look the same by its name. */
  withOtherAddress?: boolean
}

/** The similar records of each wanted record, best first. */
export async function findSimilar(
  db: Database,
  kind: RecordKind,
  wanted: Wanted[],
  { max = SIMILAR_MAX, withOtherAddress = true }: Finding = {},
): Promise<SimilarRow[][]> {
  const given = JSON.stringify(givenOf(kind, wanted))
  // A lookup runs while a fellow types, and half of its time is planning.
  const rows: Candidate[] =
    wanted.length === 1
      ? await candidatesOfOne(db, kind).execute({ given, withOtherAddress })
      : await candidatesOf(db, kind, { given, withOtherAddress, count: wanted.length })
  const found = wanted.map((): SimilarRow[] => [])
  for (const row of rows) {
    const like = likenessOf(kind, row)
    const one = wanted[row.n] as Wanted
    const [here, there] = [identityOf(kind, one), identityOf(kind, row)]
    const known = new Set([...row.reasons, ...nameReasons(like, row, one)])
    if (here.profile !== null && here.profile === there.profile) known.add('linkedin')
    if (known.size === 0) continue
    const reasons = [...known].sort((a, b) => SCORES[b] - SCORES[a])
    const isOne = isCertain(kind, here, there, () => areAlike(kind, row.wantedParts, row.parts))
    const best = Math.max(...reasons.map((reason) => SCORES[reason]), Math.round(80 * like))
    const { id, name, firstFinder, foundAt } = row
    found[row.n]?.push({
      ...{ id, name, reasons, isCertain: isOne, score: isOne ? best : Math.min(best, UNSURE_MAX) },
      ...{ firstFinder, foundAt: new Date(foundAt) },
    })
  }
  return found.map((similar) => similar.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, max))
}

/** The likeness of the two forms that are most alike. */
const likenessOf = ({ matching }: RecordKind, { parts, wantedParts }: Candidate): number =>
  Math.max(...wantedParts.flatMap((wanted) => parts.map((part) => matching.likeness(wanted, part))))

function nameReasons(like: number, { name, company }: Candidate, wanted: Wanted): DuplicateReason[] {
  if (like < ALIKE) return []
  const isSameCompany = company && wanted.company && fold(company) === fold(wanted.company)
  if (fold(name) === fold(wanted.name)) return [isSameCompany ? 'same_name_company' : 'same_name']
  return [isSameCompany ? 'name_company' : 'name']
}

const givenOf = (kind: RecordKind, wanted: Wanted[]) =>
  wanted.map((one, n) => {
    const { lookup, matching } = kind
    const { name, profile, site, mailbox } = identityOf(kind, one)
    const key = lookup.field === 'website' ? site : profile
    return {
      ...{ n, folded: name, names: matching.variants(name), address: key, email: mailbox, profile },
      parents: key === null ? [] : (lookup.parentsOf?.(key) ?? []),
    }
  })

/** The forms of a folded name, for `likeness`. */
function namePartsIn({ matching: { forms, words, distinctive } }: RecordKind, name: SQL): SQL {
  const rare = distinctive ? sql`${sql.raw(distinctive)}(words)` : sql`'{}'::text[]`
  return sql`(
    select jsonb_agg(jsonb_build_object('words', words, 'sounds', name_sounds(words), 'distinctive', ${rare}))
    from (select ${sql.raw(words)}(form) as words from unnest(${sql.raw(forms)}(${name})) form) named
  )`
}

/** The forms of folded names that are not stored, by name. */
export async function namePartsOf(db: Database, kind: RecordKind, names: string[]): Promise<Map<string, NameParts[]>> {
  if (names.length === 0) return new Map()
  const rows = await rowsOf<{ name: string; parts: NameParts[] }>(
    db,
    sql`select name, ${namePartsIn(kind, sql`name`)} as parts from unnest(${sql.param(names)}::text[]) name`,
  )
  return new Map(rows.map(({ name, parts }) => [name, parts]))
}

const candidatesOfOne = preparedOfKind((db, kind: RecordKind) =>
  candidatesOf(db, kind, {
    given: sql.placeholder('given'),
    withOtherAddress: sql.placeholder('withOtherAddress'),
    count: 1,
  }).prepare(`${kind.name}_similar`),
)

/** Records with an equal address or email, or with a name that shares keys, in one statement for all wanted ones. */
function candidatesOf(
  db: Database,
  kind: RecordKind,
  given: { given: string | Placeholder; withOtherAddress: boolean | Placeholder; count: number },
) {
  const { lookup, matching } = kind
  const nameOf = sql.raw(`split_part(records.search_text, E'\\x1f', 1)`)
  const keys = sql.raw(matching.keys)
  const partsOf = (name: SQL) => namePartsIn(kind, name)
  const ofKind = isOfKind(records.kind, kind)
  const withReason = (reason: DuplicateReason, condition: SQL) =>
    sql`(select ${records.id} as id, ${reason}::text as reason from ${records} where ${ofKind} and ${condition}
      order by ${records.createdAt} desc, ${records.id} desc limit ${sql.raw(String(SIMILAR_MAX))})`
  const address = records[lookup.column]
  // Domains below one are neighbours when reversed: a slash follows a dot.
  const ofSameSite = sql`${withReason(lookup.reason, sql`${address} = any (wanted.parents)`)} union all
    ${withReason(lookup.reason, sql`reverse(${address}) collate "C" > reverse(wanted.address) || '.' and reverse(${address}) collate "C" < reverse(wanted.address) || '/'`)}`
  const byKeys = (condition: SQL, limit: number) => sql`
    select id, null::text as reason
    from (select ${records.id} as id, ${address} as address, ${records.linkedIn} as linked_in from ${records} where ${ofKind} and ${condition} limit ${sql.raw(String(limit))}) named
    where ${given.withOtherAddress}::boolean or wanted.address is null or named.address is null or named.address = wanted.address
      or position(wanted.profile in lower(named.linked_in)) > 0`
  const candidates = sql`
    with wanted as materialized (
      select n, address, parents, email, profile, ${partsOf(sql`folded`)} as parts, nullif(${keys}(folded), '{}') as keys,
        nullif(array(select distinct unnest(${keys}(name)) from unnest(names) name), '{}') as any_keys
      from jsonb_to_recordset(${given.given}::jsonb)
        as given (n int, folded text, names text[], address text, parents text[], email text, profile text)
      -- The planner takes the number of rows from it. With its guess for functions it would compile the statement.
      limit ${sql.raw(String(given.count))}
    )
    select wanted.n, records.id, records.name, found.reasons, records.additional_info ->> 'current_company' as company,
      records.linked_in, records.website, records.additional_info ->> 'email' as email,
      ${partsOf(nameOf)} as parts, wanted.parts as "wantedParts",
      ${creatorLabel(records)} as "firstFinder", ${records.createdAt}::text as "foundAt"
    from wanted
    cross join lateral (
      select id, coalesce(array_agg(distinct reason) filter (where reason is not null), '{}') as reasons
      from (
        ${withReason(lookup.reason, sql`${address} = wanted.address`)}
        union all
        ${lookup.parentsOf ? sql`${ofSameSite} union all` : sql``}
        ${matching.byEmail ? sql`${withReason('email', sql`lower(${records.additionalInfo} ->> 'email') = wanted.email`)} union all` : sql``}
        ${byKeys(sql`${keys}(${nameOf}) @> wanted.keys`, NAMES_READ.ofAllKeys)}
        union all
        ${byKeys(sql`${keys}(${nameOf}) && wanted.any_keys`, NAMES_READ.ofAnyKey)}
      ) candidates
      group by id
    ) found
    -- One row each by its id. As a plain join, the planner would read the whole table for many wanted names.
    cross join lateral (select * from ${records} where ${records.id} = found.id limit 1) records
    left join ${accounts} on ${accounts.id} = ${records.creatorId}`
  return db
    .select({
      n: sql<number>`n`,
      id: sql<string>`id`,
      name: sql<string>`name`,
      reasons: sql<DuplicateReason[]>`reasons`,
      company: sql<string | null>`company`,
      linkedIn: sql<string | null>`linked_in`,
      website: sql<string | null>`website`,
      email: sql<string | null>`email`,
      parts: sql<NameParts[]>`parts`,
      wantedParts: sql<NameParts[]>`"wantedParts"`,
      firstFinder: sql<string | null>`"firstFinder"`,
      foundAt: sql<string>`"foundAt"`,
    })
    .from(sql`(${candidates}) candidates`)
}

type OwnFacts = { id: string; info: Facts | null; isMine: boolean }

/** The enriched values of records, and whether the caller is their first finder. */
export async function listOwnFacts(db: Database, caller: Caller, ids: string[]): Promise<Map<string, OwnFacts>> {
  const rows = await rowsOf<OwnFacts>(
    db,
    sql`select id, additional_info as info, coalesce(owner_of(creator_id, creator_text) = ${caller.id}, false) as "isMine"
      from ${records} where id = any (${`{${ids.join()}}`}::uuid[])`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
