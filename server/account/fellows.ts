import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { FELLOWS_MAX, type Fellow, FellowsQuery, ListedFellow } from '#contract/fellow.ts'
import { foldWithoutMarks } from '#contract/fold.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { accounts } from '#server/db/schema.ts'
import type { App } from '#server/http/app.ts'
import { head } from '#server/http/head.ts'
import type { Services } from '#server/services.ts'
import { isActive } from './active-accounts.ts'

/** The fellows, to choose one. For a token without their addresses, which it does not find either. */
export function fellowRoutes(app: App, { db }: Services) {
  app.get(
    '/fellows',
    head({
      ...{
        operationId: 'listFellows',
        summary: `List up to ${FELLOWS_MAX} fellows by name or address`,
        tag: 'Overview',
      },
      scope: 'read',
      query: FellowsQuery,
      answers: { 200: z.array(ListedFellow) },
    }),
    async (request) => {
      const { id, search = '' } = request.query
      const isOfToken = callerOf(request).token !== undefined
      const fellows = await (id === undefined ? findFellows(db, search, { byName: isOfToken }) : getFellow(db, id))
      return isOfToken ? fellows.map(({ id, name }) => ({ id, name })) : fellows
    },
  )
}

const columns = { id: accounts.publicId, name: accounts.name, email: accounts.email }

/** At most one. A disabled account counts, because a list may still be filtered by it. */
const getFellow = (db: Database, id: string): Promise<Fellow[]> =>
  db.select(columns).from(accounts).where(eq(accounts.publicId, id))

/**
 * By the beginning of a name or an address first, then by any part, whatever their accents. Names are folded here, because a database may not fold
 * the letters of every script. A programme has few accounts.
 */
async function findFellows(db: Database, search: string, { byName }: { byName: boolean }): Promise<Fellow[]> {
  const all = await db.select(columns).from(accounts).where(isActive)
  const term = foldWithoutMarks(search)
  const placeIn = (fellow: Fellow) => {
    const places = (byName ? [fellow.name] : [fellow.name, fellow.email])
      .map((text) => foldWithoutMarks(text).indexOf(term))
      .filter((place) => place >= 0)
    return places.length > 0 ? Math.min(...places, 1) : undefined
  }
  return all
    .flatMap((fellow) => {
      const place = placeIn(fellow)
      return place === undefined ? [] : [{ fellow, place }]
    })
    .sort((a, b) => a.place - b.place || labelOf(a.fellow).localeCompare(labelOf(b.fellow)))
    .slice(0, FELLOWS_MAX)
    .map(({ fellow }) => fellow)
}

const labelOf = ({ name, email }: Fellow) => foldWithoutMarks(`${name} ${email}`)
