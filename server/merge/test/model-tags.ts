import { and, eq } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { recordTags } from '#server/db/schema.ts'
import type { fellowOf } from '#server/test/fellow.ts'
import type { TestClient } from '#server/test/test-app.ts'
import type { Model, ModelRecord } from './model.ts'
import { pathOf } from './model-links.ts'
import type { ModelTag } from './model-rows.ts'

type World = { model: Model; db: Database; fellow: Awaited<ReturnType<typeof fellowOf>> }

/** The tags that the steps use, by name. */
export type KnownTags = { id: string; name: string }[]

const rowsOf = ({ rows }: Model, { id }: ModelRecord) =>
  [...rows.record_tags].filter(([, { recordId }]) => recordId === id)

/** The tags of a record, by name. A tag that a merge has brought together is there once. */
const tagsOf = (model: Model, record: ModelRecord, known: KnownTags) =>
  known.filter(({ id }) => rowsOf(model, record).some(([, { tagId }]) => tagId === id))

/** Whether the row is the first one of its tag and record. */
export const isShown = ({ rows }: Model, [id, { recordId, tagId }]: [string, ModelTag]) =>
  ![...rows.record_tags].some(([other, row]) => row.recordId === recordId && row.tagId === tagId && other < id)

/** Gives a record a tag, or takes it away. */
export async function putTag(
  { model, db, fellow }: World,
  record: ModelRecord,
  { known, tagId, isAdded }: { known: KnownTags; tagId: string; isAdded: boolean },
) {
  const before = tagsOf(model, record, known).map(({ id }) => id)
  const others = before.filter((id) => id !== tagId)
  const { status, body } = await fellow.client.put(`/api/records/${record.id}/tags`, {
    tags: isAdded ? [tagId, ...others] : others,
  })
  if (isAdded && !before.includes(tagId)) {
    const ofRecord = and(eq(recordTags.recordId, record.id), eq(recordTags.tagId, tagId))
    const [row] = await db.select().from(recordTags).where(ofRecord)
    const { id, addedAt } = row as typeof recordTags.$inferSelect
    const added = { recordId: record.id, tagId, account: fellow.account.id, addedAt: addedAt.toISOString() }
    model.rows.record_tags.set(id, added)
  }
  if (!isAdded) {
    for (const [id, row] of rowsOf(model, record)) if (row.tagId === tagId) model.rows.record_tags.delete(id)
  }
  expect([status, body]).toEqual([200, tagsOf(model, record, known)])
}

/** Each record shows its tags, and each list of a tag has its records, newest first. */
export async function compareTags(model: Model, client: TestClient, known: KnownTags) {
  for (const record of model.records.values()) {
    if (record.isDeleted || record.mergedInto !== undefined) continue
    const tags = tagsOf(model, record, known)
    const { body } = await client.get(`${pathOf(record)}/${record.id}`)
    expect(body.tags).toEqual(tags.length > 0 ? tags : undefined)
  }
  for (const { id } of known) {
    for (const kind of ['founder', 'company'] as const) {
      const expected = model
        .live(kind)
        .filter((record) => tagsOf(model, record, known).some((tag) => tag.id === id))
        .toSorted((one, other) => (`${one.first.at} ${one.id}` < `${other.first.at} ${other.id}` ? 1 : -1))
      const { body } = await client.get(`${pathOf({ kind })}?tag=${id}`)
      expect(body.map((record: { id: string }) => record.id)).toEqual(expected.map((record) => record.id))
    }
  }
}
