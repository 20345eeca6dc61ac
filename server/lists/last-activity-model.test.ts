import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { records } from '#server/db/schema.ts'
import { merge, undo } from '#server/merge/test/calls.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

// An oracle of the acts alone, without rows or log.

let names = 0
const nextName = () => `Halyard ${++names}`

type Fellow = Awaited<ReturnType<typeof fellowOf>>

let test: TestApp
let fellows: Fellow[]
let stages: { id: string }[]
let tags: { id: string }[]
beforeAll(async () => {
  test = await startTestApp()
  fellows = [await fellowOf(test), await fellowOf(test)]
  const { client } = fellows[0] as Fellow
  stages = (await client.get('/api/stages')).body
  tags = [
    (await client.post('/api/tags', { name: 'One' })).body,
    (await client.post('/api/tags', { name: 'Two' })).body,
  ]
})
afterAll(() => test.close())

const now = async () =>
  Number((await rowsOf<{ at: number }>(test.db, sql`select extract(epoch from clock_timestamp()) * 1000 as at`))[0]?.at)

/** What stands of a record, in the order in which it was done: who did it, and between which times. */
type Act = { what: string; by: string; from: number; until: number; isTaken: boolean }

/** A founder and a company, and what each of them is known to have. */
class World {
  ids: Record<'founder' | 'company', string> = { founder: '', company: '' }
  acts: Record<'founder' | 'company', Act[]> = { founder: [], company: [] }
  notes: { id: string; act: Act; by: number }[] = []

  /** Makes calls as a fellow. What it did stands until it is taken back. */
  async act(of: ('founder' | 'company')[], by: number, what: string, calls: () => Promise<unknown>): Promise<Act> {
    const from = await now()
    await calls()
    const act = { what, by: (fellows[by] as Fellow).account.id, from, until: await now(), isTaken: false }
    for (const kind of of) this.acts[kind].push(act)
    return act
  }

  /** The last one that stands. */
  last = (kind: 'founder' | 'company') => this.acts[kind].findLast(({ isTaken }) => !isTaken) as Act

  async check(done: string[]) {
    for (const kind of ['founder', 'company'] as const) {
      const [row] = await test.db
        .select({ at: records.lastActivityAt, by: records.lastActivityBy })
        .from(records)
        .where(eq(records.id, this.ids[kind]))
      const { what, by, from, until } = this.last(kind)
      const at = row?.at.getTime() ?? 0
      const isThen = at >= Math.floor(from) - 1 && at <= Math.ceil(until) + 2
      expect({ done, kind, what, by: row?.by, isThen }).toEqual({ done, kind, what, by, isThen: true })
    }
  }
}

const path = { founder: 'founders', company: 'companies' } as const
const paths = (kind: 'founder' | 'company', id: string) => `/api/${path[kind]}/${id}`

async function makeWorld(): Promise<World> {
  const world = new World()
  const { client } = fellows[0] as Fellow
  await world.act(['founder'], 0, 'add', async () => {
    const founder = {
      name: 'Ada',
      linkedIn: `https://www.linkedin.com/in/ada-${++names}`,
      notes: 'Met',
      rating: 5,
    }
    world.ids.founder = (await client.post('/api/founders', founder)).body.id
  })
  await world.act(['company'], 0, 'add', async () => {
    world.ids.company = (await client.post('/api/companies', { name: nextName(), notes: 'Met', rating: 5 })).body.id
  })
  return world
}

type Step = { act: keyof typeof STEPS; by: number; pick: number }

const pipelineOf = async (world: World, by: number) =>
  (await (fellows[by] as Fellow).client.get(`/api/records/${world.ids.founder}/pipeline`)).body

const ROUNDS = Number(process.env.ROUNDS ?? (process.env.LONG ? 30 : 2))

/** The acts, each with what it does to what stands. */
const STEPS = {
  async edit(world: World, { pick }: Step) {
    const { client } = fellows[0] as Fellow
    const url = paths('founder', world.ids.founder)
    const { rating, version } = (await client.get(url)).body
    // Never the rating before, which would put a change back.
    const next = (rating % 10) + 1
    await world.act(['founder'], 0, 'edit', () => client.put(url, { rating: next, version, notes: `Note ${pick}` }))
  },
  async note(world: World, { by }: Step) {
    const { client } = fellows[by] as Fellow
    let id = ''
    const act = await world.act(['founder'], by, 'note', async () => {
      id = (await client.post(`/api/notes/founder/${world.ids.founder}`, { content: 'Noted' })).body.note.id
    })
    world.notes.push({ id, act, by })
  },
  async deleteNote(world: World, { pick }: Step) {
    const [note] = world.notes.splice(pick % (world.notes.length || 1), 1)
    if (note === undefined) return
    await (fellows[note.by] as Fellow).client.delete(`/api/notes/founder/${world.ids.founder}/${note.id}`)
    note.act.isTaken = true
  },
  async moveAndBack(world: World, { by }: Step) {
    const { client } = fellows[by] as Fellow
    const url = `/api/records/${world.ids.founder}/pipeline`
    const before = await pipelineOf(world, by)
    const other = stages.find(({ id }) => id !== before.stage?.id) as { id: string }
    const moved = await client.put(url, { stage: other.id, version: before.version })
    const back = await client.put(url, { stage: before.stage?.id ?? null, version: moved.body.version })
    expect([moved.status, back.status]).toEqual([200, 200])
  },
  async step(world: World, { by }: Step) {
    const { version } = await pipelineOf(world, by)
    await world.act(['founder'], by, 'step', () =>
      (fellows[by] as Fellow).client.put(`/api/records/${world.ids.founder}/pipeline`, {
        ...{ nextStep: nextName(), nextOn: '2026-12-01', version },
      }),
    )
  },
  async tagAndLess(world: World, { by, pick }: Step) {
    const { client } = fellows[by] as Fellow
    const url = `/api/records/${world.ids.founder}/tags`
    const has: string[] =
      (await client.get(paths('founder', world.ids.founder))).body.tags?.map((tag: { id: string }) => tag.id) ?? []
    const tag = (tags[pick % 2] as { id: string }).id
    if (has.includes(tag)) {
      await client.put(url, { tags: has.filter((one) => one !== tag) })
      for (const act of world.acts.founder) if (act.what === tag) act.isTaken = true
    } else await world.act(['founder'], by, tag, () => client.put(url, { tags: [...has, tag] }))
  },
  async link(world: World, { by }: Step) {
    const { client } = fellows[by] as Fellow
    const url = `/api/founders/${world.ids.founder}/companies/${world.ids.company}`
    const known = world.acts.company.find(({ what, isTaken }) => what === 'link' && !isTaken)
    if (known) {
      expect((await client.delete(url)).status).toBe(204)
      known.isTaken = true
    } else await world.act(['founder', 'company'], by, 'link', () => client.put(url, {}))
  },
  async finder(world: World) {
    const { client } = fellows[1] as Fellow
    const url = `/api/records/${world.ids.company}/finders`
    const known = world.acts.company.find(({ what, isTaken }) => what === 'finder' && !isTaken)
    if (known) {
      expect((await client.delete(url)).status).toBe(204)
      known.isTaken = true
    } else await world.act(['company'], 1, 'finder', () => client.post(url, {}))
  },
  async bulkAndUndo(world: World, { by }: Step) {
    const { client } = fellows[by] as Fellow
    const { stage } = await pipelineOf(world, by)
    const other = stages.find(({ id }) => id !== stage?.id) as { id: string }
    const { status, body } = await client.post('/api/records/bulk', {
      ids: [world.ids.founder],
      set: { stage: other.id },
    })
    expect([status, body.changed]).toEqual([200, 1])
    expect((await client.post(`/api/records/bulk/${body.bulkId}/undo`, {})).status).toBe(200)
  },
  async mergeAndUndo(world: World, { by, pick }: Step) {
    const { client } = fellows[by] as Fellow
    const company = { name: nextName(), notes: 'Met', rating: 5 }
    // By the creator of the first, so that the other fellow is no finder by it.
    const other = (await (fellows[0] as Fellow).client.post('/api/companies', company)).body
    const one = (await client.get(paths('company', world.ids.company))).body
    let mergeId = ''
    const act = await world.act(['company'], by, 'merge', async () => {
      mergeId = (await merge(client, one, other)).body.mergeId
    })
    expect(mergeId).not.toBe('')
    if (pick % 2 === 0) return
    expect((await undo(client, mergeId)).status).toBe(200)
    act.isTaken = true
  },
  async opinion(world: World, { by, pick }: Step) {
    await (fellows[by] as Fellow).client.put(`/api/records/${world.ids.founder}/opinion`, { rating: (pick % 10) + 1 })
  },
}

describe('The last activity of a record', () => {
  it('is that of the last act by hand that stands, whatever was undone, put back or taken away', {
    tags: 'slow',
  }, async () => {
    const step = fc.record({
      act: fc.constantFrom(...(Object.keys(STEPS) as (keyof typeof STEPS)[])),
      by: fc.nat(1),
      pick: fc.nat(9),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 16 }), async (steps) => {
        const world = await makeWorld()
        const done: string[] = []
        for (const one of steps) {
          await STEPS[one.act](world, one)
          done.push(`${one.act} ${one.by}`)
          await world.check(done)
        }
        // A computation from the log says the same.
        await test.db.execute(sql`select rebuild_record(${world.ids.founder}), rebuild_record(${world.ids.company})`)
        await world.check([...done, 'computed again'])
      }),
      { numRuns: ROUNDS, endOnFailure: true },
    )
  })
})
