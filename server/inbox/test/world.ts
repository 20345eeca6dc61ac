import { setTimeout as pause } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import type { InboxLine } from '#contract/inbox.ts'
import { accounts } from '#server/db/schema.ts'
import { merge } from '#server/merge/test/calls.ts'
import { fellowOf } from '#server/test/fellow.ts'
import type { TestApp } from '#server/test/test-app.ts'

export type Reader = Awaited<ReturnType<typeof readerOf>>

/** A fellow, who can be named by a public id. */
export async function readerOf(test: TestApp, overrides: Parameters<typeof fellowOf>[1] = {}) {
  const fellow = await fellowOf(test, overrides)
  const [row] = await test.db.select().from(accounts).where(eq(accounts.id, fellow.account.id))
  return { ...fellow, name: fellow.account.name, publicId: row?.publicId ?? '' }
}

type Asked = { group?: 'you' | 'news'; state?: 'open' | 'done' }

export const linesOf = async ({ client }: Pick<Reader, 'client'>, { group = 'you', state = 'open' }: Asked = {}) => {
  const { status, body, headers } = await client.get(`/api/inbox?group=${group}&state=${state}`)
  expect(status).toBe(200)
  return { lines: body as InboxLine[], until: String(headers['x-seen-until']) }
}

/** The sentences of the open lines, unread ones with a dot before. */
export const sentencesOf = async (reader: Pick<Reader, 'client'>, asked: Asked = {}): Promise<string[]> =>
  (await linesOf(reader, asked)).lines.map(({ isRead, sentence }) => `${isRead ? '' : '• '}${sentence}`)

/** What was done at this very moment is not yet within a horizon. */
export const settle = () => pause(5)

/** Marks lines as the page does, with the horizon of the answer that shows them. */
export async function mark(reader: Pick<Reader, 'client'>, as: string, chosen: object, asked: Asked = {}) {
  await settle()
  const { until } = await linesOf(reader, asked)
  const answer = await reader.client.post(`/api/inbox/${as}`, chosen, { headers: { 'x-seen-until': until } })
  expect([answer.status, answer.body]).toEqual([204, undefined])
  return until
}

export const countOf = async ({ client }: Pick<Reader, 'client'>) => (await client.get('/api/inbox/count')).body

/** Writes a note that names these fellows. */
export const mention = (by: Pick<Reader, 'client'>, id: string, ...named: Reader[]) => {
  const content = named.map(({ name }) => `@${name}`).join(' ')
  const mentions = named.map(({ name, publicId }, index) => ({
    ...{ id: publicId, length: name.length + 1 },
    at: named.slice(0, index).reduce((sum, one) => sum + one.name.length + 2, 0),
  }))
  return by.client.post(`/api/notes/founder/${id}`, { content, mentions })
}

export async function putPipeline({ client }: Pick<Reader, 'client'>, id: string, change: object) {
  const { body } = await client.get(`/api/records/${id}/pipeline`)
  const answer = await client.put(`/api/records/${id}/pipeline`, { ...change, version: body.version })
  expect([answer.status, answer.body?.error]).toEqual([200, undefined])
}

/** Passes a record, with a day on which to look again. */
export async function pass(by: Pick<Reader, 'client'>, id: string, lookAgainOn: string) {
  const reasons = (await by.client.get('/api/passing-reasons')).body as { id: string; name: string }[]
  const reason = reasons.find(({ name }) => name === 'Too early') ?? reasons[0]
  await putPipeline(by, id, { status: 'passed', reason: { id: reason?.id }, lookAgainOn })
}

export const TODAY = new Date().toISOString().slice(0, 10)

/** Who merges, and who sees both records before. */
type Merging = { manager: Pick<Reader, 'client'>; maya: Pick<Reader, 'client'> }

/** Merges a record into another. Returns the id of the merge. */
export async function mergeInto({ manager, maya }: Merging, survivor: string, duplicate: string, path = 'founders') {
  const loaded = async (id: string) => (await maya.client.get(`/api/${path}/${id}`)).body
  const { status, body } = await merge(manager.client, await loaded(survivor), await loaded(duplicate))
  expect(status).toBe(200)
  return body.mergeId as string
}
