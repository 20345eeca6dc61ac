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
  clock: number
}
type Line = { key: string; isRead: boolean }

const keyOf = (reader: Reader, ...parts: string[]) => [reader.publicId, ...parts].join(' ')

/** The open lines of a reader. */
function expected(world: World, reader: Reader, group: InboxGroup): Line[] {
  const lines: (Line & { isDone: boolean })[] = []
  const add = (kind: string, id: string, rows: { record: string; at: number }[]) => {
    const isUntil = (until: Map<string, number>) =>
      rows.every(({ record, at }) => at <= (until.get(keyOf(reader, kind, record)) ?? 0))
    if (rows.length > 0) lines.push({ key: `${kind}:${id}`, isRead: isUntil(world.seen), isDone: isUntil(world.done) })
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
    const last = all.filter(({ what }) => what === 'tie' || what === 'act').toSorted((a, b) => b.at - a.at)[0]
    const opinion = mine.findLast(({ what }) => what === 'opinion')
    if (ties.length === 0 || !last || last.by === reader || follow?.state === 'mute') continue
    if (last.at > Math.max(Math.min(...ties), opinion?.at ?? 0)) add('followed', id, [{ record: id, at: last.at }])
  }
  return lines.filter(({ isDone }) => !isDone).map(({ key, isRead }) => ({ key, isRead }))
}

const sorted = (lines: Line[]) =>
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

/** A change that its person puts straight back is none, and neither is the way back. */
function sayChange(turn: Turn, change: [string, string]) {
  const last = turn.world.said.findLast(({ record, what }) => record === turn.id && what === 'act')
  const isPutBack = last?.by === turn.by && last.change?.[0] === change[1] && last.change[1] === change[0]
  if (isPutBack) turn.world.said = turn.world.said.filter((said) => said !== last)
  else say(turn, { what: 'act', change })
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
    world.said.push({ at, by: world.manager, record: id, what: 'act', part: body.mergeId })
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
    for (const one of [subject, ...united]) (as === 'read' ? world.seen : world.done).set(keyOf(by, kind, one), at)
  },
]
/** One fellow leaves after so many acts. */
const LEAVES_AT = 80
/** The share of each. */
const SHARES = [4, 1, 3, 2, 1, 4, 3, 2, 1, 1, 1, 1, 1, 1, 4]
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
    ...{ follows: new Map(), seen: new Map(), done: new Map(), clock: 0 },
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
