import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { InboxGroup } from '#contract/inbox-kinds.ts'
import { merge, undo } from '#server/merge/test/calls.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { type Random, randomFrom } from '../../scripts/seed/random.ts'
import { linesOf, mark, mention, pass, putPipeline, type Reader, readerOf, settle, TODAY } from './test/world.ts'

// A random world of acts. Each inbox equals an oracle that knows the acts alone, in their order, and the rules.

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

/** What one act says, at its place in the order of acts. `part` is the note or the merge with which it goes. */
type Said = {
  at: number
  by: Reader
  record: string
  what: 'tie' | 'act' | 'opinion' | 'mention' | 'ask'
  to?: Reader
  part?: string
  /** What it changes, and the change that puts it back. */
  change?: [string, string]
  /** The act on many records of which it is one, and what was the last act about the record before. */
  many?: { id: string; before: Pick<Said, 'by' | 'at'> }
}
type Here = {
  mergedFrom: string[]
  responsible: Reader | null
  given: { by: Reader; at: number } | null
  passed: { by: Reader; at: number } | null
}
const added = (): Here => ({ mergedFrom: [], responsible: null, given: null, passed: null })

type World = {
  fellows: Reader[]
  manager: Reader
  said: Said[]
  here: Map<string, Here>
  merges: { id: string; survivor: string; duplicate: string }[]
  deleted: Map<string, Here>
  /** By reader and record. */
  follows: Map<string, { state: 'follow' | 'mute'; at: number }>
  /** By reader, kind and record: until which act a line was seen, and done. */
  seen: Map<string, number>
  done: Map<string, number>
  /** The last change of each record, whether it is still there or not. */
  changed: Map<string, Said>
  clock: number
}
type Line = { key: string; isRead: boolean; records: string[] }

const keyOf = (reader: Reader, ...parts: string[]) => [reader.publicId, ...parts].join(' ')

/** What is seen of an act on many is kept for its records. */
const seenAs = (kind: string) => (kind === 'many' ? 'followed' : kind)

/** The last act about a record by hand. */
const lastOf = (all: Said[]) =>
  all.filter(({ what }) => what === 'tie' || what === 'act').toSorted((a, b) => b.at - a.at)[0]

/** The open lines of a reader. */
function expected(world: World, reader: Reader, group: InboxGroup): Line[] {
  const lines: (Line & { isDone: boolean })[] = []
  const ofMany = new Map<string, { record: string; at: number }[]>()
  const add = (kind: string, id: string, rows: { record: string; at: number }[]) => {
    const isUntil = (until: Map<string, number>) =>
      rows.every(({ record, at }) => at <= (until.get(keyOf(reader, seenAs(kind), record)) ?? 0))
    if (rows.length > 0)
      lines.push({
        key: `${kind}:${id}`,
        isRead: isUntil(world.seen),
        isDone: isUntil(world.done),
        records: rows.map(({ record }) => record),
      })
  }
  for (const [id, { mergedFrom, responsible, given, passed }] of world.here) {
    const all = world.said.filter(({ record }) => record === id || mergedFrom.includes(record))
    const mine = all.filter(({ by }) => by === reader)
    if (group === 'you') {
      const toMe = (what: Said['what']) =>
        all.filter(({ to, by, ...said }) => said.what === what && to === reader && by !== reader)
      add('mention', id, toMe('mention'))
      if (!mine.some(({ what }) => what === 'opinion')) add('opinion', id, toMe('ask'))
      if (responsible === reader && given && given.by !== reader) add('given', id, [{ record: id, at: given.at }])
      if (passed && [passed.by, responsible].includes(reader)) add('again', id, [{ record: id, at: passed.at }])
      continue
    }
    const follow = world.follows.get(keyOf(reader, id))
    const ties = [
      ...mine.filter(({ what }) => what === 'tie' || what === 'opinion'),
      ...all.filter(({ what, to }) => what === 'mention' && to === reader),
      ...(responsible === reader && given ? [given] : []),
      ...(follow?.state === 'follow' ? [follow] : []),
    ].map(({ at }) => at)
    const last = lastOf(all)
    const opinion = mine.findLast(({ what }) => what === 'opinion')
    if (ties.length === 0 || !last || last.by === reader || follow?.state === 'mute') continue
    const since = Math.max(Math.min(...ties), opinion?.at ?? 0)
    if (last.at <= since) continue
    const seen = [world.seen, world.done].map((until) => until.get(keyOf(reader, 'followed', id)) ?? 0)
    const { id: act, before } = last.many ?? {}
    const isOfMany = act && before && (before.by === reader || before.at <= Math.max(since, ...seen))
    if (isOfMany) ofMany.set(act, [...(ofMany.get(act) ?? []), { record: id, at: last.at }])
    else add('followed', id, [{ record: id, at: last.at }])
  }
  for (const [act, rows] of ofMany) add('many', act, rows)
  return lines.filter(({ isDone }) => !isDone)
}

const sorted = (lines: Pick<Line, 'key' | 'isRead'>[]) =>
  lines.map(({ key, isRead }) => ({ key, isRead })).toSorted((a, b) => a.key.localeCompare(b.key))

async function compare(world: World): Promise<number> {
  let count = 0
  for (const reader of world.fellows) {
    for (const group of ['you', 'news'] as const) {
      const lines = sorted(expected(world, reader, group))
      const { name } = reader
      expect({ name, group, lines: sorted((await linesOf(reader, { group })).lines) }).toEqual({ name, group, lines })
      count += lines.length
    }
  }
  return count
}

/** The record, or what it unites, has nothing that a merge brings together in a way of its own. */
const isPlain = ({ fellows, here, follows }: World, id: string): boolean => {
  const { mergedFrom, responsible, given, passed } = here.get(id) ?? added()
  const isChosen = fellows.some((fellow) => follows.has(keyOf(fellow, id)))
  return !responsible && !given && !passed && !isChosen && mergedFrom.length === 0
}

type Turn = { world: World; at: number; by: Reader; to: Reader; id: string; record: Here; random: Random }

const say = ({ world, at, by, id }: Turn, said: Pick<Said, 'what' | 'to' | 'part' | 'change'>) =>
  world.said.push({ at, by, record: id, ...said })

/** A change that its person puts back before another change is none, and neither is the way back. */
function sayChange(turn: Turn, change: [string, string]) {
  const { world, by, id } = turn
  const last = world.changed.get(id)
  const isPutBack = last?.by === by && last.change?.[0] === change[1] && last.change[1] === change[0]
  if (isPutBack) {
    world.said = world.said.filter((said) => said !== last)
    return
  }
  say(turn, { what: 'act', change })
  world.changed.set(id, world.said.at(-1) as Said)
}

const acts: ((turn: Turn) => Promise<unknown>)[] = [
  async (turn) => {
    const { body } = await mention(turn.by, turn.id, turn.to)
    say(turn, { what: 'tie', part: body.note.id })
    say(turn, { what: 'mention', to: turn.to, part: body.note.id })
  },
  async ({ world, by, id }) => {
    const noted = world.said.find(
      ({ record, part, what, ...said }) => record === id && part && what === 'tie' && said.by === by,
    )
    if (noted === undefined) return
    expect((await by.client.delete(`/api/notes/founder/${id}/${noted.part}`)).status).toBe(200)
    world.said = world.said.filter(({ part }) => part !== noted.part)
  },
  async (turn) => {
    const { status } = await turn.by.client.post(`/api/records/${turn.id}/opinions/ask`, {
      fellows: [turn.to.publicId],
    })
    expect(status).toBe(204)
    say(turn, { what: 'ask', to: turn.to })
  },
  async (turn) => {
    await turn.by.client.put(`/api/records/${turn.id}/opinion`, { rating: 5, comment: `${turn.at}` })
    say(turn, { what: 'opinion' })
  },
  async ({ world, by, id, record }) => {
    await by.client.delete(`/api/records/${id}/opinion`)
    const isHere = (one: string) => one === id || record.mergedFrom.includes(one)
    world.said = world.said.filter((said) => said.what !== 'opinion' || said.by !== by || !isHere(said.record))
  },
  async (turn) => {
    const { record, to, by, at } = turn
    if (record.responsible === to) return
    await putPipeline(by, turn.id, { responsible: to.publicId })
    sayChange(turn, [`${record.responsible?.name}`, to.name])
    record.responsible = to
    record.given = { by, at }
  },
  async (turn) => {
    const { record, by, at } = turn
    if (record.passed) await putPipeline(by, turn.id, { status: 'active' })
    else await pass(by, turn.id, TODAY)
    sayChange(turn, record.passed ? ['passed', 'active'] : ['active', 'passed'])
    record.passed = record.passed ? null : { by, at }
  },
  async ({ world, by, id, record, at, random }) => {
    const state = random.one(['follow', 'mute', 'none'] as const)
    expect((await by.client.put(`/api/records/${id}/follow`, { state })).status).toBe(200)
    // After the undo of a merge it is so for both.
    for (const key of [id, ...record.mergedFrom].map((one) => keyOf(by, one))) {
      if (state === 'none') world.follows.delete(key)
      else if (world.follows.get(key)?.state !== state) world.follows.set(key, { state, at })
    }
  },
  async ({ world, id, record, at }) => {
    const duplicate = [...world.here.keys()].find((one) => one !== id && isPlain(world, one))
    if (duplicate === undefined || !isPlain(world, id)) return
    const { client } = world.manager
    const [one, other] = [await client.get(`/api/founders/${id}`), await client.get(`/api/founders/${duplicate}`)]
    const { status, body } = await merge(client, one.body, other.body)
    expect(status).toBe(200)
    world.merges.push({ id: body.mergeId, survivor: id, duplicate })
    world.here.delete(duplicate)
    record.mergedFrom.push(duplicate)
    const said: Said = { at, by: world.manager, record: id, what: 'act', part: body.mergeId }
    world.said.push(said)
    world.changed.set(id, said)
  },
  async ({ world }) => {
    const last = world.merges.at(-1)
    const survivor = last && world.here.get(last.survivor)
    if (last === undefined || survivor === undefined) return
    world.merges.pop()
    expect((await undo(world.manager.client, last.id)).status).toBe(200)
    world.said = world.said.filter(({ part }) => part !== last.id)
    survivor.mergedFrom = []
    world.here.set(last.duplicate, added())
  },
  async ({ world, id, record }) => {
    if (record.mergedFrom.length > 0) return
    expect((await world.manager.client.delete(`/api/founders/${id}`)).status).toBe(204)
    world.deleted.set(id, record)
    world.here.delete(id)
  },
  async ({ world }) => {
    const [id, record] = [...world.deleted][0] ?? []
    if (id === undefined || record === undefined) return
    const { status } = await world.manager.client.post(`/api/programme/deleted/${id}/restore`, {})
    expect(status).toBeLessThan(300)
    world.deleted.delete(id)
    world.here.set(id, record)
  },
  async ({ world, id, record }) => {
    if (record.mergedFrom.length > 0) return
    const { client } = world.manager
    const { name } = (await client.get(`/api/founders/${id}`)).body
    const { body } = await client.post('/api/programme/privacy/search', { names: [name] })
    const refs = body.filter(({ kind }: { kind: string }) => kind === 'record').map(({ ref }: { ref: string }) => ref)
    expect(refs).toHaveLength(1)
    expect((await client.post('/api/programme/privacy/erase', { refs, reason: 'asked' })).status).toBe(200)
    world.here.delete(id)
  },
  async ({ world, at }) => {
    const leaver = world.fellows.at(-1)
    if (leaver === undefined || at < LEAVES_AT || world.fellows.length < 4) return
    const { status } = await world.manager.client.post('/api/programme/people/leave', { ids: [leaver.publicId] })
    expect(status).toBe(200)
    world.fellows = world.fellows.filter((fellow) => fellow !== leaver)
    world.said = world.said.filter(({ what, by, to }) => what !== 'ask' || ![by, to].includes(leaver))
    // A hand-over is no activity of the records.
    for (const record of world.here.values())
      if (record.responsible === leaver) Object.assign(record, { responsible: null, given: null })
  },
  async ({ world, by, at, random }) => {
    const group = random.one(['you', 'news'] as const)
    const line = random.one([...expected(world, by, group), undefined])
    if (line === undefined) return
    const as = random.one(['read', 'done'] as const)
    await mark(by, as, { keys: [line.key] }, { group })
    const [kind = '', subject = ''] = line.key.split(':')
    const united = ['mention', 'opinion'].includes(kind) ? (world.here.get(subject)?.mergedFrom ?? []) : []
    const until = as === 'read' ? world.seen : world.done
    for (const one of kind === 'many' ? line.records : [subject, ...united]) until.set(keyOf(by, seenAs(kind), one), at)
  },
  async ({ world, by, at, random }) => {
    const ids = [...world.here.keys()].slice(-5).filter(() => random.chance(0.7))
    const tag = await by.client.post('/api/tags', { name: `Of ${inLetters(by.publicId)} ${at}` })
    if (ids.length === 0) return
    const set = { addTag: tag.body.id }
    const { status, body } = await by.client.post(
      '/api/records/bulk',
      { ids, set },
      { headers: { 'idempotency-key': uuidv7() } },
    )
    expect([status, body.skipped]).toEqual([200, []])
    for (const id of ids) {
      const { mergedFrom } = world.here.get(id) ?? added()
      const before = lastOf(world.said.filter(({ record }) => record === id || mergedFrom.includes(record)))
      const many = { id: body.bulkId, before: before ?? { by, at: 0 } }
      world.said.push({ at, by, record: id, what: 'act', part: body.bulkId, many })
    }
  },
  async ({ world, by }) => {
    const last = world.said.findLast((said) => said.many && said.by === by)
    if (last === undefined) return
    const { status } = await by.client.post(`/api/records/bulk/${last.part}/undo`, {})
    // What is undone already stays of records that were deleted or merged then.
    expect([200, 409]).toContain(status)
    if (status === 409) return
    world.said = world.said.filter(({ part, record }) => part !== last.part || !world.here.has(record))
  },
]
/** One fellow leaves after so many acts. */
const LEAVES_AT = 80
/** The share of each. */
const SHARES = [4, 1, 3, 2, 1, 4, 3, 2, 1, 1, 1, 1, 1, 1, 4, 3, 1]
const drawn = SHARES.flatMap((share, index) => Array<number>(share).fill(index))

/** A name that a search for another one does not find. */
const inLetters = (text: string) =>
  text.replaceAll(/[\da-f-]/g, (digit) => 'ghijklmnopqrstuvx'['0123456789abcdef-'.indexOf(digit)] ?? '')

async function add({ world, at, by }: Pick<Turn, 'world' | 'at' | 'by'>) {
  const linkedIn = `https://www.linkedin.com/in/oracle-${by.publicId}-${at}`
  const name = `Quist ${inLetters(by.publicId)} ${inLetters(`${at}`)}`
  const { status, body } = await by.client.post('/api/founders', { name, linkedIn, notes: 'Met' })
  expect(status).toBe(201)
  world.here.set(body.id, added())
  world.said.push({ at, by, record: body.id, what: 'tie' })
}

async function run(seed: string, count: number, every: number): Promise<number> {
  const random = randomFrom(seed)
  const manager = await readerOf(test, { name: 'Priya', role: 'manager' })
  const others = await Promise.all(['Maya', 'Tom', 'Noor'].map((name) => readerOf(test, { name })))
  const world: World = {
    ...{ fellows: [manager, ...others], manager, said: [], here: new Map(), merges: [], deleted: new Map() },
    ...{ follows: new Map(), seen: new Map(), done: new Map(), changed: new Map(), clock: 0 },
  }
  let compared = 0
  for (let made = 1; made <= count; made += 1) {
    // An act is later than the horizon of the one before.
    await settle()
    world.clock += 1
    const turn = { world, at: world.clock, by: random.one(world.fellows), to: random.one(world.fellows), random }
    const [id, record] = random.one([...world.here].slice(-6)) ?? []
    if (id === undefined || record === undefined || random.chance(0.1)) await add(turn)
    else await acts[random.one(drawn)]?.({ ...turn, id, record })
    if (made % every === 0) compared += await compare(world)
  }
  return compared
}

it('Each inbox equals an oracle of the acts, in a short random world', async () => {
  expect(await run('short', 40, 20)).toBeGreaterThan(5)
})

it('Each inbox equals an oracle of the acts, whatever is done', { tags: 'slow', timeout: 600_000 }, async () => {
  let compared = 0
  for (let world = 0; world < (process.env.LONG ? 10 : 2); world += 1) compared += await run(`long ${world}`, 200, 5)
  expect(compared).toBeGreaterThan(100)
})
