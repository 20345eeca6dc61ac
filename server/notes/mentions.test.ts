import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MENTION_RULE } from '#contract/note.ts'
import { accounts, mentions } from '#server/db/schema.ts'
import { merge, undo } from '#server/merge/test/calls.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
type Fellow = Awaited<ReturnType<typeof fellowOf>>
let maya: Fellow
let tom: Fellow
beforeAll(async () => {
  test = await startTestApp()
  maya = await fellowOf(test, { name: 'Maya Okafor' })
  tom = await fellowOf(test, { name: 'Tom Baker' })
})
afterAll(() => test.close())

const publicIdOf = async ({ account }: Fellow) =>
  (await test.db.select().from(accounts).where(eq(accounts.id, account.id)))[0]?.publicId ?? ''
const named = async (fellow: Fellow, at = 0) => ({
  ...{ id: await publicIdOf(fellow), at },
  length: fellow.account.name.length + 1,
})
const founder = async () => (await makeFounder(test.db, { creator: maya.account })).id
const note = async (by: Fellow, id: string, content: string, ...mentions: Awaited<ReturnType<typeof named>>[]) =>
  by.client.post(`/api/notes/founder/${id}`, { content, mentions })
const notesOf = async (id: string) => (await maya.client.get(`/api/notes/founder/${id}`)).body.notes

describe('A note that mentions fellows', () => {
  it('says whom, with their names as they are now, wherever the note is read', async () => {
    const id = await founder()
    const nina = await fellowOf(test, { name: 'Nina Old' })
    const mention = { ...(await named(nina, 4)), name: 'Nina Old' }
    const added = await note(maya, id, ' Ask @Nina Old ', await named(nina, 4))
    expect([added.status, added.body.note.mentions]).toEqual([201, [mention]])
    await nina.client.patch('/api/account', { name: 'Nina New' })
    const now = [{ ...mention, name: 'Nina New' }]
    const [listed] = await notesOf(id)
    expect([listed.content, listed.mentions]).toEqual(['Ask @Nina Old', now])
    const record = (await maya.client.get(`/api/founders/${id}`)).body
    const mine = (await maya.client.get('/api/notes/my-notes')).body.founderNotes
    const own = mine.find(({ founderId }: { founderId: string }) => founderId === id)
    expect([record.fellowNotes?.[0]?.mentions ?? record.notesPreview?.[0]?.mentions, own.notes[0].mentions]).toEqual([
      now,
      now,
    ])
  })

  it('has mentions only where there are some', async () => {
    const id = await founder()
    await note(maya, id, 'No one')
    expect((await notesOf(id))[0]).not.toHaveProperty('mentions')
  })

  it('returns 400 at mentions for a range that is no mention, and for fellows who are not active', async () => {
    const id = await founder()
    const [gone, waiting] = [await fellowOf(test), await fellowOf(test)]
    await test.db.update(accounts).set({ disabledAt: sql`now()` }).where(eq(accounts.id, gone.account.id))
    await test.db.update(accounts).set({ pendingSince: sql`now()` }).where(eq(accounts.id, waiting.account.id))
    const INACTIVE = 'One of these fellows is not active'
    const cases: [string, string, object[]][] = [
      ['Ask Tom', MENTION_RULE, [await named(tom)]],
      ['@Fellow of the past and more', INACTIVE, [await named(gone)]],
      ['@Fellow of the past and more', INACTIVE, [await named(waiting)]],
      ['@Tom', INACTIVE, [{ id: tom.account.id, at: 0, length: 4 }]],
    ]
    for (const [content, error, list] of cases) {
      const { status, body } = await maya.client.post(`/api/notes/founder/${id}`, { content, mentions: list })
      expect([content, status, body.fields]).toEqual([content, 400, { mentions: error }])
    }
    expect(await notesOf(id)).toEqual([])
  })

  it('goes with its note: by a merge and back by its undo, and away with a deletion', async () => {
    const loaded = async (id: string) => (await maya.client.get(`/api/founders/${id}`)).body
    const [survivor, duplicate] = [await founder(), await founder()]
    await note(maya, duplicate, '@Tom Baker', await named(tom))
    const { body } = await merge(maya.client, await loaded(survivor), await loaded(duplicate))
    expect((await notesOf(survivor))[0].mentions).toHaveLength(1)
    await undo(maya.client, body.mergeId)
    expect([await notesOf(survivor), (await notesOf(duplicate))[0].mentions]).toMatchObject([
      [],
      [{ name: 'Tom Baker' }],
    ])
    const [{ id }] = await notesOf(duplicate)
    expect(await test.db.$count(mentions, eq(mentions.noteId, id))).toBe(1)
    await maya.client.delete(`/api/notes/founder/${duplicate}/${id}`)
    expect(await test.db.$count(mentions, eq(mentions.noteId, id))).toBe(0)
  })

  it('is saved once under one key', async () => {
    const id = await founder()
    const send = async () =>
      maya.client.post(
        `/api/notes/founder/${id}`,
        { content: '@Tom Baker', mentions: [await named(tom)] },
        { headers: { 'idempotency-key': '01900000-0000-7000-8000-00000000beef' } },
      )
    const [first, second] = [await send(), await send()]
    expect([first.status, second.status, second.body.note]).toEqual([201, 201, first.body.note])
    expect(await notesOf(id)).toHaveLength(1)
  })
})

describe('The people whom a fellow names or asks', () => {
  it('are at most 100 in 24 hours, those of deleted notes too', async () => {
    const id = await founder()
    const writer = await fellowOf(test)
    const asked = [await publicIdOf(tom), await publicIdOf(maya)]
    const ask = (fellows: string[]) => writer.client.post(`/api/records/${id}/opinions/ask`, { fellows })
    await test.db.execute(sql`insert into namings (account_id, named_at, count)
      values (${writer.account.id}, now() - interval '25 hours', 100), (${writer.account.id}, now() - interval '1 hour', 97)`)
    const { body } = await note(writer, id, '@Tom Baker', await named(tom))
    await writer.client.delete(`/api/notes/founder/${id}/${body.note.id}`)
    expect((await ask(asked)).status).toBe(204)
    for (const refused of [await ask(asked), await note(writer, id, '@Tom Baker', await named(tom))]) {
      expect([refused.status, refused.body.error, Number(refused.headers['retry-after']) > 80_000]).toEqual([
        ...[429, 'You can mention or ask 100 fellows in 24 hours. Try again in 23 hours.', true],
      ])
    }
    expect((await note(writer, id, 'Without a name')).status).toBe(201)
  })

  it('count once in a note that names them twice', async () => {
    const [id, writer] = [await founder(), await fellowOf(test)]
    await test.db.execute(sql`insert into namings (account_id, count) values (${writer.account.id}, 99)`)
    const twice = await note(writer, id, '@Tom Baker @Tom Baker', await named(tom), await named(tom, 11))
    expect(twice.status).toBe(201)
  })

  it('do not pass the limit by notes at once', async () => {
    const [id, writer] = [await founder(), await fellowOf(test)]
    await test.db.execute(sql`insert into namings (account_id, count) values (${writer.account.id}, 98)`)
    const mention = await named(tom)
    const answers = await Promise.all(Array.from({ length: 5 }, () => note(writer, id, '@Tom Baker', mention)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 429, 429, 429])
  })

  it('can name each other at once', async () => {
    const id = await founder()
    const [ofTom, ofMaya] = [await named(tom), await named(maya)]
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        index % 2 === 0 ? note(maya, id, '@Tom Baker', ofTom) : note(tom, id, '@Maya Okafor', ofMaya),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201))
  })
})
