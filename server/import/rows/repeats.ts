import type { Database } from '#server/db/database.ts'
import { areAlike, type Identity, identityOf, isCertain, wantedOf } from '#server/duplicates/identity.ts'
import { namePartsOf } from '#server/duplicates/similar.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { parentDomains } from '#server/names/keys.ts'
import type { ParsedRow } from './values.ts'

/** The rows that share an address or a name, and are compared with later ones. More of them would make a file slow. */
const SHARED_MAX = 50

type Seen = { row: number; identity: Identity }

/**
 * Finds the earlier row of a file that a row repeats: by the rules for records, or with the same name and no different
 * address. Each row counts once, whatever the choice for duplicates.
 */
export function createRepeats(kind: EnrichedKind) {
  const seen = new Map<string, Seen[]>()

  /** The earlier rows by the rows of a batch that repeat them. */
  return async (db: Database, batch: { row: number; parsed: ParsedRow }[]): Promise<Map<number, number>> => {
    const rows = batch.map(
      ({ row, parsed: { info, facts, fields } }): Seen => ({
        ...{ row, identity: identityOf(kind, wantedOf({ ...info, ...facts, ...fields })) },
      }),
    )
    const parts = await namePartsOf(db, kind, namesToCompare(seen, rows))
    const repeated = new Map<number, number>()
    for (const { row, identity } of rows) {
      const isOne = (other: Seen) =>
        isCertain(kind, identity, other.identity, () =>
          areAlike(kind, parts.get(identity.name) ?? [], parts.get(other.identity.name) ?? []),
        )
      const [earlier] = keysOf(identity)
        .flatMap((key) => (seen.get(key) ?? []).filter(isOne))
        .sort((one, other) => one.row - other.row)
      if (earlier !== undefined) repeated.set(row, earlier.row)
      else add(seen, { row, identity })
    }
    return repeated
  }
}

/** A site is also found by those above it and below it. */
const keysOf = ({ name, profile, site, mailbox }: Identity): string[] => [
  `name ${name}`,
  ...(profile === null ? [] : [`profile ${profile}`]),
  ...(mailbox === null ? [] : [`mailbox ${mailbox}`]),
  ...(site === null ? [] : [site, ...parentDomains(site)].map((domain) => `site ${domain}`)),
]

function add(seen: Map<string, Seen[]>, one: Seen): void {
  for (const key of keysOf(one.identity)) {
    const rows = seen.get(key)
    if (rows === undefined) seen.set(key, [one])
    else if (rows.length < SHARED_MAX) rows.push(one)
  }
}

/** The names of rows that share an address with others. */
function namesToCompare(seen: Map<string, Seen[]>, rows: Seen[]): string[] {
  const byKey = new Map<string, Seen[]>()
  for (const one of rows) for (const key of keysOf(one.identity)) byKey.set(key, [...(byKey.get(key) ?? []), one])
  const names = [...byKey].flatMap(([key, batch]) => {
    const all = [...(seen.get(key) ?? []), ...batch].map(({ identity }) => identity.name)
    return new Set(all).size > 1 ? all : []
  })
  return [...new Set(names)]
}
