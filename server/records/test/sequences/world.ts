import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { act, csv, HEADER, IN, prepare } from '#server/import/test/import-file.ts'
import { merge } from '#server/merge/test/calls.ts'
import { makeCompany, makeFounder, makeNote } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import type { TestApp, TestClient } from '#server/test/test-app.ts'

/** A fellow who may do what every fellow may, and a few records of each kind of creator. */
export type World = {
  test: TestApp
  client: TestClient
  hasManager: boolean
  otherName: string
  founders: typeof FOUNDERS extends readonly (infer Name extends string)[] ? Record<Name, string> : never
  company: string
  ownCompany: string
  foreignNote: string
  /** On the company of one's own. */
  ownNote: string
  /** Read and not imported yet. Each row meets a founder, or is new, or may be the same by its name. */
  filling: string
  updating: string
  /** Imported: it has created a founder, and updated the fellow's own. */
  imported: string
  /** Records whose first finder is the fellow. Records that are added later are the fellow's too. */
  own: Set<string>
  /** Records whose first finder is not known. */
  unknown: Set<string>
  /** Records, and notes on them, of others. */
  foreign: Set<string>
  foreignNotes: Set<string>
}

/**
 * `own`: added by the fellow. `foreign`: by another one. `claimed`: imported under the fellow's address. `unknown`: imported
 * under an address without an account. `united`: added by the fellow after another one had added the same person, and
 * merged, so that the creators of both rows are swapped. `added`: created by an import of the fellow.
 */
export const FOUNDERS = ['own', 'foreign', 'claimed', 'unknown', 'united', 'added'] as const
const NO_ACCOUNT = 'gone@mit.edu'

export async function makeSmallWorld(test: TestApp, { hasManager }: { hasManager: boolean }): Promise<World> {
  const { db } = test
  const [fellow, other] = [await fellowOf(test, { emailVerified: true }), await fellowOf(test)]
  const third = await fellowOf(test)
  if (hasManager) await fellowOf(test, { role: 'manager' })
  const make = (name: string, creator = other.account) =>
    makeFounder(db, { name: `Ada ${name}`, linkedIn: `${IN}${name.toLowerCase()}`, creator, notes: `Met ${name}` })
  const makeImported = async (name: string, address: string) => {
    const { id } = await make(name)
    await db.execute(
      sql`update records set creator_id = null, creator_text = ${address}, is_imported = true where id = ${id}`,
    )
    await db.execute(sql`select rebuild_record(${id})`)
    return id
  }
  const own = (await make('Own', fellow.account)).id
  const foreign = (await make('Foreign')).id
  const claimed = await makeImported('Claimed', fellow.account.email)
  const unknown = await makeImported('Unknown', NO_ACCOUNT)
  const [earlier, united] = [await make('Earlier'), await make('United', fellow.account)]
  expect((await merge(third.client, united, earlier)).status).toBe(200)
  const company = (await makeCompany(db, { creator: other.account })).id
  const ownCompany = (await makeCompany(db, { creator: fellow.account })).id
  await other.client.put(`/api/founders/${foreign}/companies/${company}`, { role: 'CEO' })
  const foreignNote = (await makeNote(db, { founder: foreign, author: other.account })).id
  await makeNote(db, { founder: unknown, author: other.account })
  const ownNote = (await makeNote(db, { company: ownCompany, author: fellow.account })).id

  const { client } = fellow
  const tag = (await client.post('/api/tags', { name: 'Climate' })).body.id
  expect((await client.post('/api/records/bulk', { ids: [own], set: { addTag: tag } })).status).toBe(200)
  const search = { name: 'Mine', kind: 'founder', query: 'mine=true' }
  expect((await client.post('/api/searches', search)).status).toBe(201)
  const first = await prepare(client, csv(HEADER, `Ada Added,${IN}added,Met,5`, `Ada Own,${IN}own,Met again,5`), {
    duplicates: 'update',
  })
  const { id: imported, counts } = await act(client, first.id, 'run')
  expect(counts).toMatchObject({ created: 1, updated: 1 })
  const [created] = (await client.get('/api/founders?search=Added')).body
  const names = ['Own', 'Foreign', 'Claimed', 'Unknown', 'United', 'Earlier', 'Added']
  const rows = names.map((name) => `Ada ${name},${IN}${name.toLowerCase()},Read in a file,9`)
  const file = csv(HEADER, ...rows, `Eve New,${IN}eve,New,5`, 'Ada Forein,,Similar,5')
  const filling = (await prepare(client, file, { duplicates: 'fill' })).id
  const updating = (await prepare(client, file, { duplicates: 'update' })).id
  return {
    ...{ test, client, hasManager, otherName: other.account.name, company, ownCompany },
    ...{ foreignNote, ownNote },
    founders: { own, foreign, claimed, unknown, united: united.id, added: created.id },
    ...{ filling, updating, imported },
    own: new Set([own, claimed, united.id, created.id, ownCompany]),
    unknown: new Set([unknown]),
    foreign: new Set([foreign, earlier.id, company]),
    foreignNotes: new Set([foreignNote]),
  }
}
