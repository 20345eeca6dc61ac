import { and, desc, eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { kindNamed } from '#contract/kinds.ts'
import type { Database } from '#server/db/database.ts'
import { links } from '#server/db/schema.ts'
import type { fellowOf } from '#server/test/fellow.ts'
import type { TestClient } from '#server/test/test-app.ts'
import type { Model, ModelRecord } from './model.ts'
import type { ModelLink, Pair } from './model-rows.ts'

type World = { model: Model; db: Database; fellow: Awaited<ReturnType<typeof fellowOf>> }

export const pathOf = ({ kind }: Pick<ModelRecord, 'kind'>) => `/api/${kindNamed(kind).path}`
export const linkedKindOf = ({ kind }: ModelRecord) => (kind === 'founder' ? 'company' : 'founder')
const linkPath = ({ founderId, companyId }: Pair) => `/api/founders/${founderId}/companies/${companyId}`

const byNewest = ([id, link]: [string, ModelLink], [otherId, other]: [string, ModelLink]) =>
  `${link.createdAt} ${id}` < `${other.createdAt} ${otherId}` ? 1 : -1

/** The links of a pair, newest first. Readers see that one. */
const linksOf = ({ rows }: Model, { founderId, companyId }: Pair) =>
  [...rows.links].filter(([, link]) => link.founderId === founderId && link.companyId === companyId).sort(byNewest)

/** The records that are linked to one, newest link first, as readers see them. */
function linkedTo(model: Model, record: ModelRecord) {
  const seen = [...model.rows.links]
    .filter(([, link]) => [link.founderId, link.companyId].includes(record.id))
    .filter(([id, link]) => linksOf(model, link)[0]?.[0] === id)
    .filter(([, { founderId, companyId }]) => ![founderId, companyId].some((id) => model.get(id).isDeleted))
    .sort(byNewest)
  return seen.map(([, { founderId, companyId, role }]) => {
    const { id, values } = model.get(record.kind === 'founder' ? companyId : founderId)
    return { id, name: values.fields.name, role }
  })
}

/** Whether an undo gives the link back as it is. A later role is another row then. */
const isOfMerge = ({ merges }: Model, { founderId, companyId, createdAt }: ModelLink) =>
  merges.some(({ isUndone, survivor, at }) => !isUndone && [founderId, companyId].includes(survivor) && at >= createdAt)

/** Links a pair, with a role or without one, or changes the role. */
export async function putLink({ model, db, fellow }: World, pair: Pair, role: string | undefined) {
  const [[id, known] = []] = linksOf(model, pair)
  const given = role ?? known?.role ?? ''
  const { status, body } = await fellow.client.put(linkPath(pair), role === undefined ? {} : { role })
  const { name } = model.get(pair.companyId).values.fields
  expect([status, body]).toEqual([200, { id: pair.companyId, name, role: given }])
  if (known?.role === given) return
  if (id && known && !isOfMerge(model, known)) {
    known.role = given
    return
  }
  const ofPair = and(eq(links.founderId, pair.founderId), eq(links.companyId, pair.companyId))
  const [row] = await db.select().from(links).where(ofPair).orderBy(desc(links.createdAt), desc(links.id)).limit(1)
  const added = row as typeof links.$inferSelect
  expect(model.rows.links.has(added.id), 'a link that an undo gives back stays as it is').toBe(false)
  const createdAt = added.createdAt.toISOString()
  model.rows.links.set(added.id, { ...pair, role: given, account: fellow.account.id, createdAt })
}

export async function deleteLink({ model, fellow }: World, pair: Pair) {
  expect((await fellow.client.delete(linkPath(pair))).status).toBe(204)
  for (const [id] of linksOf(model, pair)) model.rows.links.delete(id)
}

/** Each record lists its links, and a merged one leads to the list of its survivor. */
export async function compareLinks(model: Model, client: TestClient) {
  for (const record of model.records.values()) {
    const listOf = ({ id }: ModelRecord) => `${pathOf(record)}/${id}/${kindNamed(linkedKindOf(record)).path}`
    const { status, body, headers } = await client.get(listOf(record))
    if (record.isDeleted) expect(status).toBe(404)
    else if (record.mergedInto === undefined) expect([status, body]).toEqual([200, linkedTo(model, record)])
    else expect([status, headers.location]).toEqual([308, listOf(model.rootOf(record))])
  }
}
