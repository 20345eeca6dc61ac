import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { authSecret } from '#server/auth/sessions/secret.ts'
import { startFeedServer } from '#server/feed/test/own-server.ts'
import { waitForFeed } from '#server/feed/test/reader.ts'
import { readerOf } from '#server/inbox/test/world.ts'
import { makeFounder } from '#server/test/factories.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { startTestApp } from '#server/test/test-app.ts'
import { createRinger } from '../ring.ts'
import { ringWebhooks } from '../send.ts'

export type Received = { path: string; headers: Record<string, string>; body: string }

/** A receiver on this machine, and the product before it. */
export async function openWebhookWorld() {
  const received: Received[] = []
  const taking = (response: ServerResponse): void => void response.writeHead(200).end('ok')
  let answer: (response: ServerResponse, path: string) => void = taking
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', headers } = request
      received.push({ path, headers: headers as Record<string, string>, body: Buffer.concat(chunks).toString() })
      answer(response, path)
    })
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const server = await startFeedServer()
  const test = await startTestApp({ CHANNEL_ALLOW_HOSTS: host }, undefined, undefined, {
    address: await server.migrated(),
    connections: 6,
  })
  const manager = await readerOf(test, { name: 'Priya', role: 'manager' })
  const settings = { isSendingOff: false, channelAllowHosts: [{ host: '127.0.0.1', port: undefined }] }
  const secret = await authSecret(test.db, undefined)
  let path = 0
  let clock = Date.parse('2031-01-01T07:00:00Z')
  const world = {
    ...{ test, manager, host, received },
    /** What the receiver does with a ring. */
    answers: (next: typeof answer = taking) => {
      answer = next
    },
    /** An address of the receiver that no other test has. */
    address: () => `http://${host}/hooks/${++path}/SECRET`,
    ringsAt: (address: string) => received.filter((ring) => address.endsWith(ring.path)),
    now: () => new Date(clock),
    later: (seconds: number) => {
      clock += seconds * 1_000
    },
    /** Something new, in the feed. */
    async act(): Promise<string> {
      const { id } = await makeFounder(test.db)
      await waitForFeed(test.db)
      return id
    },
    /** Rings that have begun at the time of the clock. */
    begin: (send = createRinger(settings, quietLog)) =>
      ringWebhooks(test.db, send, world.now, { settings, secret, log: quietLog }),
    /** How many were rung and have answered. */
    async ring(send?: ReturnType<typeof createRinger>): Promise<number> {
      const rung = await Promise.all(await world.begin(send))
      return rung.filter(Boolean).length
    },
    async reset() {
      world.answers()
      await test.db.execute(sql`delete from webhooks`)
      await test.db.execute(sql`delete from attempts where key = 'webhook tests'`)
    },
    async close() {
      await test.close()
      await server.stop()
      receiver.closeAllConnections()
      await new Promise((resolve) => receiver.close(resolve))
    },
  }
  return world
}

export type WebhookWorld = Awaited<ReturnType<typeof openWebhookWorld>>
