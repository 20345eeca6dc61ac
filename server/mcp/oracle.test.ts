import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { kinds } from '#contract/kinds.ts'
import { accounts } from '#server/db/schema.ts'
import { merge } from '#server/merge/test/calls.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { allow, makeToken } from '#server/tokens/test/tokens.ts'
import { randomFrom } from '../../scripts/seed/random.ts'
import { createAssistant, listAll, openDoor } from './test/door.ts'

// Every text of a random world has a mark of its own. What became of it says whether an assistant may read it.

type Fellow = Awaited<ReturnType<typeof fellowOf>>
type Kind = (typeof kinds)[number]
type Note = { id: string; mark: string; author: Fellow }
type Held = { id: string; kind: Kind; name: string; marks: string[]; notes: Note[]; creator: Fellow }

let test: TestApp
let door: URL
let manager: Fellow
let fellows: Fellow[]
beforeAll(async () => {
  test = await startTestApp()
  door = await openDoor(test)
  manager = await fellowOf(test, { role: 'manager', email: 'zqaddress@mit.edu', name: 'Manager' })
  await allow(test, 'all', true)
  fellows = await Promise.all(
    ['Owner', 'Ann', 'Ben'].map((name) => fellowOf(test, { name, email: `zqaddress${name.toLowerCase()}@mit.edu` })),
  )
  // One without a name is shown by the address, to all but tokens.
  await test.db.update(accounts).set({ name: '' }).where(eq(accounts.email, 'zqaddressben@mit.edu'))
})
afterAll(() => test.close())

/** A random world that writes down what is there. */
function createWorld(seed: string) {
  const random = randomFrom(seed)
  let marks = 0
  const live: Held[] = []
  const deleted: Held[] = []
  /** Opinions of others, what managers write, and what was deleted or erased. */
  const hidden = new Set<string>(['zqaddress'])
  /** Unlike every other, so that a search for a person finds one. */
  const mark = (what: string) => `zq${((++marks * 2_654_435_761) % 2 ** 32).toString(36)}${what}`
  const current = async ({ kind, id }: Held) => (await manager.client.get(`/api/${kind.path}/${id}`)).body
  const ok = (answer: { status: number; text: string }) => {
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([
      expect.toSatisfy((status) => status < 300),
      answer.text.slice(0, 300),
    ])
    return answer as never as { body: Awaited<ReturnType<typeof current>> }
  }
  const hide = ({ name, marks, notes }: Held) => {
    for (const text of [name, ...marks, ...notes.map(({ mark }) => mark)]) hidden.add(text)
  }
  const leave = (held: Held) => live.splice(live.indexOf(held), 1)

  const acts: Record<string, () => Promise<unknown>> = {
    async add() {
      const [kind, creator, name, notes] = [random.one(kinds), random.one(fellows), mark('name'), mark('met')]
      const address =
        kind.name === 'founder'
          ? { linkedIn: `https://linkedin.com/in/${name}` }
          : { website: `https://${name}.example` }
      const { body } = ok(await creator.client.post(`/api/${kind.path}`, { name, notes, ...address }))
      live.push({ id: body.id, kind, name, marks: [notes], notes: [], creator })
    },
    async write() {
      const [held, author, text] = [random.one(live), random.one(fellows), mark('note')]
      const { body } = ok(await author.client.post(`/api/notes/${held.kind.name}/${held.id}`, { content: text }))
      held.notes.push({ id: body.note.id, mark: text, author })
    },
    async deleteNote() {
      const held = live.find(({ notes }) => notes.length > 0)
      const [note] = held?.notes.splice(0, 1) ?? []
      if (held === undefined || note === undefined) return
      ok(await note.author.client.delete(`/api/notes/${held.kind.name}/${held.id}/${note.id}`))
      hidden.add(note.mark)
    },
    async describe() {
      const [held, text] = [random.one(live), mark('met')]
      const { version } = await current(held)
      ok(await held.creator.client.put(`/api/${held.kind.path}/${held.id}`, { notes: text, version }))
      const [before] = held.marks.splice(0, 1, text)
      hidden.add(String(before))
    },
    async plan() {
      const [held, text] = [random.one(live), mark('step')]
      const { version } = (await manager.client.get(`/api/records/${held.id}/pipeline`)).body
      ok(await random.one(fellows).client.put(`/api/records/${held.id}/pipeline`, { nextStep: text, version }))
      const [, before] = held.marks.splice(1, 1, text)
      if (before !== undefined) hidden.add(before)
    },
    async judge() {
      const [, ...others] = fellows
      const comment = mark('opinion')
      hidden.add(comment)
      ok(
        await random.one([...others, manager]).client.put(`/api/records/${random.one(live).id}/opinion`, {
          rating: random.between(1, 10),
          comment,
        }),
      )
    },
    async reveal() {
      await manager.client.post(`/api/records/${random.one(live).id}/opinions/reveal`, {})
    },
    async judgeOneself() {
      ok(
        await (fellows[0] as Fellow).client.put(`/api/records/${random.one(live).id}/opinion`, {
          rating: random.between(1, 10),
        }),
      )
    },
    async invite() {
      const name = mark('invited')
      hidden.add(name)
      ok(await manager.client.post('/api/programme/invitations', { email: `${name}@mit.edu` }))
    },
    async delete() {
      const held = random.one(live)
      const { status } = await held.creator.client.delete(`/api/${held.kind.path}/${held.id}`)
      if (status >= 300) return
      leave(held)
      deleted.push(held)
      hide(held)
    },
    async restore() {
      const held = deleted.shift()
      if (held === undefined) return
      ok(await manager.client.post(`/api/programme/deleted/${held.id}/restore`, {}))
      for (const text of [held.name, ...held.marks, ...held.notes.map(({ mark }) => mark)]) hidden.delete(text)
      live.push(held)
    },
    async merge() {
      const survivor = random.one(live)
      const duplicate = live.find((one) => one !== survivor && one.kind === survivor.kind)
      if (duplicate === undefined) return
      ok(await merge(manager.client, await current(survivor), await current(duplicate)))
      leave(duplicate)
      survivor.notes.push(...duplicate.notes)
    },
    async erase() {
      const held = random.one(live)
      const found = ok(await manager.client.post('/api/programme/privacy/search', { names: [held.name] }))
      const refs = found.body.map(({ ref }: { ref: string }) => ref)
      ok(await manager.client.post('/api/programme/privacy/erase', { refs, reason: 'asked' }))
      leave(held)
      hide(held)
    },
  }
  const WEIGHTS = ['add', 'add', 'add', 'write', 'write', 'write', 'describe', 'plan', 'judge', 'judge', 'judgeOneself']
  return {
    ...{ live, hidden },
    async act() {
      const name = live.length < 6 ? 'add' : random.one([...WEIGHTS, ...Object.keys(acts)])
      await acts[name]?.()
      return name
    },
  }
}

it('No answer has opinions of others, erased and deleted records, or data of managers, in a random world', {
  tags: 'slow',
  timeout: 240_000,
}, async () => {
  const world = createWorld(process.env.SEED ?? 'door')
  const done: string[] = []
  for (let round = 0; round < 3; round += 1) {
    for (let act = 0; act < 50; act += 1) done.push(await world.act())
    const tokens: Awaited<ReturnType<typeof makeToken>>[] = []
    const ask = createAssistant(door, async () => {
      const token = await makeToken(test, (fellows[0] as Fellow).client, ['read', 'export'])
      tokens.push(token)
      return token
    })
    let text = ''
    const read = async (name: string, given: object) => {
      const { isError, text: answer, answer: parsed } = await ask(name, given)
      expect([name, given, isError && answer]).toEqual([name, given, false])
      text += answer
      return parsed
    }
    const listed: string[] = []
    for (const { name: kind } of kinds) {
      listed.push(...(await listAll(read, kind)).map(({ id }) => id))
      await read('get_pipeline', { kind })
      await read('find_duplicates', { kind, name: 'Ada' })
    }
    expect(listed.toSorted()).toEqual(world.live.map(({ id }) => id).toSorted())
    for (const { id } of world.live) {
      await read('get_record', { id })
      await read('read_notes', { id })
    }
    const shown = new Set(text.match(/zq(?:[\da-z]+?(?:name|met|note|step|opinion|invited)|address)/g))
    expect([...world.hidden].filter((mark) => shown.has(mark))).toEqual([])
    const due = world.live.flatMap(({ name, marks, notes }) => [name, ...marks, ...notes.map(({ mark }) => mark)])
    expect(due.filter((mark) => !shown.has(mark))).toEqual([])
    for (const words of [...world.hidden].slice(-8)) expect(await read('search', { words })).toEqual({ records: [] })
    for (const { id } of tokens) await (fellows[0] as Fellow).client.delete(`/api/account/tokens/${id}`)
  }
  // Each kind of act has happened, so that none hides nothing.
  expect(new Set(done).size).toBe(13)
})
