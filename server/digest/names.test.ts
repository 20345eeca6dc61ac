import { afterAll, beforeAll, expect, it } from 'vitest'
import { pass, putPipeline, type Reader, readerOf, settle, TODAY } from '#server/inbox/test/world.ts'
import { outsideName } from '#server/sending/outside.ts'
import { makeFounder } from '#server/test/factories.ts'
import { escapeHtml } from '#server/text.ts'
import { endOthers, type MailWorld, openMailWorld, sendAt, subscriber } from './test/world.ts'

let world: MailWorld
let maya: Reader
let manager: Reader
beforeAll(async () => {
  world = await openMailWorld()
  maya = await readerOf(world.test, { name: 'Maya' })
  manager = await readerOf(world.test, { name: 'Priya', role: 'manager' })
})
afterAll(() => world.close())

const HOSTILE = '<at>x</at> [a](https://evil.example) @all'

const founder = async (by: Reader, name = 'Ada') => (await makeFounder(world.test.db, { creator: by.account, name })).id
const note = (by: Reader, id: string) => by.client.post(`/api/notes/founder/${id}`, { content: 'Called' })

/** What a mail names, each by an act that gives a line. */
const acts: Record<string, (tom: Reader) => Promise<unknown>> = {
  record: async (tom) => note(maya, await founder(tom, HOSTILE)),
  fellow: async (tom) => note(await readerOf(world.test, { name: HOSTILE }), await founder(tom)),
  stage: async (tom) => {
    const { body } = await manager.client.post('/api/stages', { name: HOSTILE })
    await putPipeline(maya, await founder(tom), { stage: body.id })
  },
  'reason for passing': async (tom) => {
    const { client } = manager
    const { body } = await client.put('/api/passing-reasons', [{ name: HOSTILE }])
    expect(body).toMatchObject([{ name: HOSTILE }])
    await pass(tom, await founder(tom), TODAY)
  },
  'saved search': async (tom) => {
    const { body } = await tom.client.post('/api/searches', { name: HOSTILE, kind: 'founder', query: '' })
    await tom.client.put(`/api/searches/${body.id}/watch`, { isWatched: true })
    await settle()
    await founder(maya)
  },
}

it.each(Object.keys(acts))('The name of a %s is text in the mail, whatever it is built to be', async (what) => {
  const tom = await subscriber(world)
  await acts[what]?.(tom)
  await settle()
  expect(await sendAt(world, '2031-01-01T08:05:00Z')).toBe(1)
  await endOthers(world)
  const [mail] = world.mails.to(tom.account.email)
  expect(mail?.text).toContain(outsideName(HOSTILE))
  expect(mail?.html).toContain(escapeHtml(outsideName(HOSTILE)))
  for (const text of [mail?.text, mail?.html, mail?.subject])
    expect(text).not.toMatch(/https:\/\/evil|evil\.example|@all/)
  expect(mail?.html).not.toContain('<at>')
})
