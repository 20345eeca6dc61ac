import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { authSecret } from '#server/auth/sessions/secret.ts'
import { type Reader, readerOf } from '#server/inbox/test/world.ts'
import { kinds } from '#server/kinds.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { createPoster } from '../post.ts'
import { sendChannels } from '../send.ts'

export const ADDRESS = 'https://sourcebook.test'

export type Received = { path: string; headers: Record<string, unknown>; body: Record<string, unknown> }

/** A chat on this machine, and the product before it. */
export async function openChannelWorld() {
  const received: Received[] = []
  const taking = (response: ServerResponse): void => void response.writeHead(200).end('ok')
  let answer = taking
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', headers } = request
      received.push({ path, headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
      answer(response)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const test = await startTestApp({ CHANNEL_ALLOW_HOSTS: host })
  const manager = await readerOf(test, { name: 'Priya', role: 'manager' })
  let path = 0
  const world = {
    ...{ test, manager, host, received },
    /** What the chat does with a message. */
    answers: (next = taking) => {
      answer = next
    },
    /** An address of the chat that no other test has. */
    address: () => `http://${host}/services/${++path}/SECRET`,
    messagesAt: (address: string) => received.filter((message) => address.endsWith(message.path)),
    /** Sends what is due at a time. */
    async sendAt(now: string, { isSendingOff = false } = {}) {
      const settings = { address: ADDRESS, isSendingOff, channelAllowHosts: [{ host: '127.0.0.1', port: undefined }] }
      const options = { settings, secret: await authSecret(test.db, undefined), kinds, log: quietLog }
      return sendChannels(test.db, createPoster(settings, quietLog), new Date(now), options)
    },
    /** Each channel is due at a time, and at no other one. */
    dueAt: (id: string, at: string) =>
      test.db.execute(sql`update channels set next_at = ${at}::timestamptz where id = ${id}`),
    close: async () => {
      await test.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return world
}

export type ChannelWorld = Awaited<ReturnType<typeof openChannelWorld>>
export type { Reader, TestApp }
