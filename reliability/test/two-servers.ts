import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { caller } from '#server/test/http-caller.ts'
import { IS_ASYNCHRONOUS, many, seconds, within } from '../sizes.ts'
import { namesOf, openProvider, startEnriching, startImporting } from './long-acts.ts'
import { follow } from './stream.ts'
import { start, timeUntil } from './worlds.ts'
import { faultsIn, newFounder, notesOn, startWriting } from './writers.ts'

const HANDS = 4
/** A person waits for so long. */
const SLOW_MS = within(5_000)

/** Two servers under load. Returns the time until both write again, and what must be so at the end. */
export async function twoServers(settings: Record<string, string>) {
  const { provider, settings: withProvider } = await openProvider()
  const begin = () => start({ ...settings, ...withProvider })
  const servers = [await begin(), await begin()] as const
  const client = caller()
  await client.join(servers[0], `${randomUUID()}@mit.edu`)
  const followed = await Promise.all(servers.map(({ url }) => follow(url, client.headers())))
  const founders = await Promise.all(servers.map((server, index) => newFounder(client.call, server, `Of ${index}`)))
  const writers = servers.map((server, index) =>
    startWriting(client.call, server, founders[index] as string, { hands: HANDS, repeats: true }),
  )

  const importing = startImporting(client, servers[0])
  const enriching = startEnriching(client, servers[1], provider)
  let slowestReadMs = 0

  /** Waits until each server writes again after the trouble, and its readers were told to read everything again. */
  async function goOn(trouble: () => Promise<void>, withinMs: number): Promise<number> {
    const before = followed.map(({ events }) => events.length)
    const began = Date.now()
    await trouble()
    const soFar = writers.map(({ acknowledged }) => acknowledged.length)
    const areWriting = () =>
      writers.every(({ acknowledged }, index) => acknowledged.length > (soFar[index] as number) + 4 * HANDS)
    await timeUntil(areWriting, withinMs, 'writing again')
    const tookMs = Date.now() - began
    const haveRead = () => followed.every(({ events }, index) => events.slice(before[index]).includes('everything'))
    const readMs = tookMs + (await timeUntil(haveRead, withinMs, 'the readers get everything'))
    slowestReadMs = Math.max(slowestReadMs, readMs)
    for (const server of servers) expect((await client.call(server, 'GET', '/auth/me')).status).toBe(200)
    return tookMs
  }

  async function end() {
    await Promise.all(writers.map((writer) => writer.stop()))
    const imported = await importing.stop()
    const { enriched, askedAgain } = await enriching.stop()
    const names = (await namesOf(client, servers[1])).filter((name) => name.startsWith('Imported '))
    const faults = [faultsIn(names, imported)]
    for (const [index, { acknowledged }] of writers.entries()) {
      const found = await notesOn(client.call, servers[0], founders[index] as string)
      faults.push(faultsIn(found, acknowledged))
    }
    const lost = faults.flatMap((one) => one.lost)
    if (!IS_ASYNCHRONOUS) expect(lost).toEqual([])
    expect(faults.flatMap((one) => one.twice)).toEqual([])
    const refused = writers.flatMap((writer) => writer.refused)
    expect(refused.filter(({ status, error }) => status !== 503 || !error.endsWith('.'))).toEqual([])
    expect(followed.some(({ hasEnded }) => hasEnded())).toBe(false)
    expect(writers.map(({ unanswered }) => unanswered())).toEqual([0, 0])
    const acknowledged = writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0)
    const slowestMs = Math.max(...writers.map(({ slowestMs }) => slowestMs()))
    const slowestRefusalMs = Math.max(0, ...refused.map(({ tookMs }) => tookMs))
    const slow = refused.filter(({ tookMs }) => tookMs > SLOW_MS)
    expect(slow.length).toBeLessThanOrEqual(refused.length / 1_000)
    const line = `${many(acknowledged)} acknowledged and ${many(imported.length)} rows imported, ${lost.length} lost, 0 twice, ${many(enriched)} enriched (${askedAgain} asked again), ${many(refused.length)} refused (${many(slow.length)} after more than ${seconds(SLOW_MS)}), slowest refusal ${seconds(slowestRefusalMs)}, slowest answer ${seconds(slowestMs)}, readers informed after ${seconds(slowestReadMs)} at most`
    return { acknowledged, slowestMs, slowestRefusalMs, line }
  }
  return { goOn, end }
}
