import { sql } from 'drizzle-orm'
import { COUNT_MAX } from '#contract/limits.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { openTurns } from '#server/turns.ts'
import type { Many } from './many.ts'
import { behind, both, inOrder, type PageRequest, type Place } from './paging.ts'
import { type Searched, searchNewest } from './search.ts'

const SEARCHES_AT_ONCE = 4
const SEARCHED_WITHIN_MS = 3_000

/**
 * Turns for lists with a search. More at once would only share the same cores, each be done later, and leave other calls no
 * connection.
 */
export const searchTurns = () => openTurns({ atOnce: SEARCHES_AT_ONCE, withinMs: SEARCHED_WITHIN_MS })

/** A search, and what is known of how much it finds; `scope` tells apart searches for one term in different lists. */
export type ListSearch = { term: string; scope: string; many: Many }

/**
 * The ids of a page in order, with one more when there is a next one. With a search also how many rows match, counted no
 * further than one past `COUNT_MAX`.
 */
export async function pickPage(
  db: Database,
  listed: Searched,
  search: ListSearch | undefined,
  { limit, after }: PageRequest,
): Promise<{ ids: string[]; matched?: number }> {
  if (!search) return { ids: await listIds(db, listed, { limit, after }) }
  const { term, scope, many } = search
  const key = JSON.stringify([scope, term])
  if (many.has(key)) {
    const { places } = await searchNewest(db, listed, term, { limit: limit + 1, countTo: limit + 1, after })
    return { ids: idsOf(places), matched: COUNT_MAX + 1 }
  }
  const add = many.watch()
  const [newest, page] = await Promise.all([
    searchNewest(db, listed, term, { limit: limit + 1, countTo: COUNT_MAX + 1, after: undefined }),
    after && searchNewest(db, listed, term, { limit: limit + 1, countTo: limit + 1, after }),
  ])
  if (newest.matched > COUNT_MAX) add(key)
  return { ids: idsOf((page ?? newest).places), matched: newest.matched }
}

const idsOf = (places: Place[]) => places.map(({ id }) => id)

async function listIds(db: Database, { from, where, placed }: Searched, { limit, after }: PageRequest) {
  const rows = await rowsOf<{ id: string }>(
    db,
    sql`select ${placed.id} as id from ${from} where ${both(where, behind(placed, after))}
      order by ${inOrder(placed)} limit ${limit + 1}`,
  )
  return rows.map(({ id }) => id)
}
