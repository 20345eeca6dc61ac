import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { type KindName, kindNamed } from '#contract/kinds.ts'
import { statuses } from '#contract/status.ts'
import { rowsOf } from '#server/db/database.ts'
import { notes } from '#server/db/schema.ts'
import { kinds } from '#server/kinds.ts'
import { merge, undo } from '#server/merge/test/calls.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { passTime } from '#server/records/test/pipeline-world.ts'
import { insertRecords } from '#server/records/write/write.ts'
import type { fellowOf } from '#server/test/fellow.ts'
import type { TestApp } from '#server/test/test-app.ts'
import type { Random } from '../../../scripts/seed/random.ts'

// A world of records of one kind: added, imported, noted, found, moved, moved for nothing, merged, undone, deleted and restored, over two years.

const DAY = 86_400_000

export type Fellow = Awaited<ReturnType<typeof fellowOf>>

export async function makeFiguresWorld(
  { test, fellows, kind: name }: { test: TestApp; fellows: Fellow[]; kind: KindName },
  random: Random,
  count: number,
): Promise<void> {
  const { path } = kindNamed(name)
  const kind = kinds.find((kind) => kind.name === name) as RecordKind
  const ids: string[] = []
  const merges: string[] = []
  const deleted: string[] = []
  const manager = fellows[0] as Fellow
  const stages: { id: string }[] = (await manager.client.get('/api/stages')).body
  const reasons: { id: string }[] = (await manager.client.get('/api/passing-reasons')).body

  async function add() {
    const address =
      name === 'founder' ? { linkedIn: `https://www.linkedin.com/in/f${uuidv7().slice(-10)}` } : { website: undefined }
    const input = { name: `Name ${random.below(1e6)}`, notes: 'n', rating: random.between(5, 10), ...address }
    const { body } = await random.one(fellows).client.post(`/api/${path}`, input)
    ids.push(body.id)
    await move(body.id, 700)
  }

  async function importRecord() {
    const creator = random.one([
      { creatorId: random.one(fellows).account.id },
      { creatorText: 'Old Tool' },
      { creatorText: random.one(fellows).account.email },
      {},
    ])
    const id = uuidv7()
    const fields = { name: 'Imported', notes: 'n', rating: 9, ...(name === 'founder' && { linkedIn: '' }) }
    await insertRecords(test.db, kind, [{ id, fields, info: null, isImported: random.chance(0.8), ...creator }])
    ids.push(id)
    await move(id, 900)
  }

  /** As if it had been added some days ago. */
  const move = (id: string, days: number) =>
    test.db.execute(
      sql`update records set created_at = created_at - ${random.below(days * DAY)} * interval '1 millisecond' where id = ${id}`,
    )

  async function note(id: string) {
    const noteId = uuidv7()
    const author = random.chance(0.7) ? { authorId: random.one(fellows).account.id } : { authorText: 'Old Tool' }
    const [known] = await rowsOf<{ kind: string }>(test.db, sql`select kind from records where id = ${id}`)
    if (known?.kind !== name) return
    await test.db.insert(notes).values({
      ...{ id: noteId, recordId: id, kind: name, content: 'A note', searchText: 'a note', ...author },
      createdAt: new Date(Date.now() - random.below(400 * DAY)),
    })
  }

  async function movePipeline(id: string) {
    const { client } = manager
    const { status: found, body } = await client.get(`/api/records/${id}/pipeline`)
    if (found !== 200) return
    const status = random.one(statuses)
    await client.put(`/api/records/${id}/pipeline`, {
      ...{ version: body.version, status, stage: random.one([null, ...stages.map((stage) => stage.id)]) },
      ...(status === 'passed' && body.status !== 'passed' && { reason: { id: random.one(reasons).id } }),
    })
    await passTime(test, id, random.below(120 * DAY))
  }

  /** Cards put back, and bulk acts of which most are undone, some of them after another has moved the record. */
  async function moveForNothing(id: string) {
    const { client } = random.one([manager, random.one(fellows)])
    const { status, body } = await client.get(`/api/records/${id}/pipeline`)
    if (status !== 200) return
    const stage = random.one([null, ...stages.map((stage) => stage.id)])
    if (random.chance(0.5)) {
      await client.put(`/api/records/${id}/pipeline`, { version: body.version, stage })
      const { version } = (await client.get(`/api/records/${id}/pipeline`)).body
      await client.put(`/api/records/${id}/pipeline`, { version, stage: body.stage?.id ?? null })
      return
    }
    const { bulkId } = (await client.post('/api/records/bulk', { ids: [id, random.one(ids)], set: { stage } })).body
    if (random.chance(0.5)) await passTime(test, id, random.below(20 * DAY))
    if (random.chance(0.3)) await movePipeline(id)
    if (random.chance(0.8)) await manager.client.post(`/api/records/bulk/${bulkId}/undo`, {})
  }

  async function mergeTwo(id: string, other: string) {
    const { client } = manager
    const pair = await Promise.all([id, other].map((one) => client.get(`/api/${path}/${one}`)))
    if (id === other || pair.some(({ status }) => status !== 200)) return
    const { status, body } = await merge(client, pair[0]?.body, pair[1]?.body)
    if (status === 200) merges.push(body.mergeId)
  }

  for (let event = 0; event < count; event += 1) {
    const chosen = random.below(20)
    const id = random.one(ids) ?? ''
    if (ids.length < 5 || chosen < 5) await add()
    else if (chosen < 7) await importRecord()
    else if (chosen < 11) await note(id)
    else if (chosen < 12) await random.one(fellows).client.post(`/api/records/${id}/finders`, {})
    else if (chosen < 16) {
      await movePipeline(id)
      await movePipeline(id)
    } else if (chosen < 17) {
      await movePipeline(id)
      await moveForNothing(id)
    } else if (chosen < 18) await mergeTwo(id, random.one(ids))
    else if (chosen < 19 && random.chance(0.5)) {
      const mergeId = merges.splice(random.below(merges.length || 1), 1)[0]
      if (mergeId !== undefined) await undo(manager.client, mergeId)
    } else if (random.chance(0.5)) {
      if ((await manager.client.delete(`/api/${path}/${id}`)).status === 204) deleted.push(id)
    } else {
      const back = random.chance(0.4) ? deleted.pop() : undefined
      if (back !== undefined) await manager.client.post(`/api/programme/deleted/${back}/restore`, {})
    }
  }
}
