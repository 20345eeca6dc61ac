import { and, desc, eq } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { opinions } from '#server/db/schema.ts'
import type { fellowOf } from '#server/test/fellow.ts'
import type { Model, ModelRecord } from './model.ts'
import type { ModelOpinion } from './model-rows.ts'

type World = { model: Model; db: Database; fellow: Awaited<ReturnType<typeof fellowOf>> }
type Entry = [id: string, opinion: ModelOpinion]

const byNewest = ([id, one]: Entry, [otherId, other]: Entry) =>
  `${one.givenAt} ${id}` < `${other.givenAt} ${otherId}` ? 1 : -1

/** The opinions of an account on a record, newest first. Readers see that one. */
const opinionsOf = ({ rows }: Model, record: ModelRecord, account: string) =>
  [...rows.opinions].filter(([, one]) => one.recordId === record.id && one.account === account).sort(byNewest)

const hasRead = (model: Model, { id }: ModelRecord, account: string) =>
  model.tree(id).some(({ readers, revealedBy }) => revealedBy !== undefined || readers.has(account))

/** What the call shows, by the rules of blindness. */
function seenBy(model: Model, record: ModelRecord, account: string) {
  const accounts = model.opinionAuthors(record.id)
  const current = accounts.map((author) => opinionsOf(model, record, author)[0]?.[1] as ModelOpinion)
  const mine = current.find((one) => one.account === account)
  const isReadable = mine !== undefined || model.tree(record.id).every(({ revealedBy }) => revealedBy !== undefined)
  const ratings = current.map(({ rating }) => rating)
  const highestFirst = (others: ModelOpinion[]) => others.map(({ rating }) => rating).sort()
  const given = [...model.rows.opinions.values()].filter(({ recordId }) => recordId === record.id)
  return {
    // Of the blind, each as it was given before any merge.
    count: isReadable ? current.length : given.length,
    mine: mine && { rating: mine.rating, isAfterReading: mine.isAfterReading },
    others: isReadable ? highestFirst(current.filter((one) => one !== mine)) : null,
    spread: isReadable && ratings.length > 0 ? Math.max(...ratings) - Math.min(...ratings) : null,
  }
}

export async function compareOpinions({ model, fellow }: World, record: ModelRecord) {
  const { status, body } = await fellow.client.get(`/api/records/${record.id}/opinions`)
  const { count, mine, others, spread } = body
  const shown = {
    ...{ count, spread },
    mine: mine ? { rating: mine.rating, isAfterReading: mine.isAfterReading } : undefined,
    others: others?.map(({ rating }: { rating: number }) => rating).sort() ?? null,
  }
  expect([status, shown]).toEqual([200, seenBy(model, record, fellow.account.id)])
}

export async function putOpinion(world: World, record: ModelRecord, rating: number) {
  const { model, db, fellow } = world
  const account = fellow.account.id
  const [[id, known] = []] = opinionsOf(model, record, account)
  expect((await fellow.client.put(`/api/records/${record.id}/opinion`, { rating })).status).toBe(200)
  if (known?.rating !== rating) {
    const isAfterReading = hasRead(model, record, account)
    const isOfMerge = model.merges.some(
      ({ isUndone, survivor, at }) => !isUndone && survivor === record.id && at >= (known?.givenAt ?? ''),
    )
    if (id && known && !isOfMerge) Object.assign(known, { rating, isAfterReading, isChanged: true })
    else {
      const ofFellow = and(eq(opinions.recordId, record.id), eq(opinions.accountId, account))
      const [row] = await db.select().from(opinions).where(ofFellow).orderBy(desc(opinions.givenAt), desc(opinions.id))
      const added = row as typeof opinions.$inferSelect
      expect(model.rows.opinions.has(added.id), 'an opinion that an undo gives back stays as it is').toBe(false)
      const givenAt = added.givenAt.toISOString()
      model.rows.opinions.set(added.id, {
        ...{ recordId: record.id, account, rating, isAfterReading, givenAt, isChanged: false },
      })
    }
    model.rememberReadings(record.id)
  }
  await compareOpinions(world, record)
}

export async function deleteOpinion(world: World, record: ModelRecord) {
  const { model, fellow } = world
  expect((await fellow.client.delete(`/api/records/${record.id}/opinion`)).status).toBe(204)
  for (const [id] of opinionsOf(model, record, fellow.account.id)) model.rows.opinions.delete(id)
  await compareOpinions(world, record)
}

export async function revealOpinions(world: World, record: ModelRecord) {
  const { model, fellow } = world
  const tree = model.tree(record.id)
  const isAllowed =
    model.opinionAuthors(record.id).length > 0 || tree.every(({ revealedBy }) => revealedBy !== undefined)
  const { status } = await fellow.client.post(`/api/records/${record.id}/opinions/reveal`, {})
  expect(status).toBe(isAllowed ? 200 : 409)
  if (isAllowed) for (const one of tree) one.revealedBy ??= fellow.account.id
  await compareOpinions(world, record)
}
