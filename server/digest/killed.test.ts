import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authSecret } from '#server/auth/sessions/secret.ts'
import { digestMails, digests } from '#server/db/schema.ts'
import { mark, mention, type Reader, readerOf } from '#server/inbox/test/world.ts'
import { addDays } from '#server/records/days.ts'
import { makeFounder } from '#server/test/factories.ts'
import type { ReceivedMail } from '#server/test/mail-server.ts'
import { superuserUrl } from '#server/test/test-database.ts'
import { headerOf, type MailWorld, openMailWorld, subscriber } from './test/world.ts'

const DAYS = Number(process.env.ROUNDS ?? (process.env.LONG ? 200 : 6))
const FIRST = '2031-03-10'
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
]

let world: MailWorld
let maya: Reader
beforeAll(async () => {
  world = await openMailWorld()
  maya = await readerOf(world.test, { name: 'Maya' })
})
afterAll(() => world.close())

const MOODS = [
  ...Array.from({ length: 12 }, () => 'taking' as const),
  ...(['refusing', 'refusing', 'hanging up', 'hanging up', 'silent'] as const),
]

/** The same numbers each time. */
let seed = Number(process.env.SEED ?? 7)
const random = (below: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
  return seed % below
}

type Started = { url: string; smtpUrl: string; secret: string }

/** Sends at each of these times, and is killed after some milliseconds. Returns the times that are done. */
function sendUntilKilled(started: Started, times: string[], killAfterMs: number | undefined): Promise<string[]> {
  const done: string[] = []
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'test/send-days.ts'), JSON.stringify({ ...started, times })],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  createInterface(child.stdout).on('line', (line) => {
    if (line !== 'ready') done.push(line)
    else if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  })
  return new Promise((resolve) => child.on('close', () => resolve(done)))
}

describe('Simulated days, with kill -9 and a mail server that refuses, stalls and takes twice', {
  tags: 'slow',
  timeout: 3_600_000,
}, () => {
  it('at most one mail a person and day, only what was unread, none empty, nothing lost, a second copy only with the same Message-ID', async () => {
    const { test, mails } = world
    const readers: { tom: Reader; zone: string; records: string[] }[] = []
    for (const zone of ZONES) {
      const hour = random(24)
      const nextAt = new Date(`${addDays(FIRST, -1)}T00:00:00Z`)
      const tom = await subscriber(
        world,
        { name: `In ${zone}` },
        { timeZone: zone, hour, nextAt, rhythm: random(3) === 0 ? 'weekdays' : 'daily' },
      )
      const records: string[] = []
      for (let number = 0; number < 3; number += 1) {
        const { id } = await makeFounder(test.db, { creator: maya.account, name: `Founder${number} of ${zone}` })
        await mention(maya, id, tom)
        records.push(id)
      }
      readers.push({ tom, zone, records })
    }
    const quiet = await subscriber(world, { name: 'Nothing unread' })
    const started = {
      url: await superuserUrl(test.db),
      smtpUrl: mails.url,
      secret: await authSecret(test.db, undefined),
    }
    const times = Array.from({ length: DAYS * 24 }, (_, hour) =>
      new Date(Date.parse(FIRST) + hour * 3_600_000 + 5 * 60_000).toISOString(),
    )
    let [kills, spells] = [0, 0]
    const weather = setInterval(() => {
      const mood = MOODS[random(MOODS.length)] ?? 'taking'
      if (mood !== 'taking') spells += 1
      mails.be(mood)
    }, 250)
    const read: { tom: Reader; record: string; before: number }[] = []
    for (let from = 0; from < times.length; ) {
      const isKilled = kills < DAYS
      // A killed time is the next one again, in another process.
      from += (await sendUntilKilled(started, times.slice(from), isKilled ? random(1500) : undefined)).length
      kills += Number(isKilled)
      const one = readers[random(readers.length)] as (typeof readers)[number]
      const record = random(4) === 0 && one.records.length > 1 ? one.records.pop() : undefined
      if (record === undefined) continue
      await mark(one.tom, 'read', { record })
      read.push({ tom: one.tom, record, before: mails.to(one.tom.account.email).length })
    }
    clearInterval(weather)

    let copies = 0
    for (const { tom, zone, records } of readers) {
      const got = mails.to(tom.account.email)
      const byId = new Map<string, ReceivedMail[]>()
      for (const mail of got) {
        const id = headerOf(mail, 'Message-ID') ?? ''
        byId.set(id, [...(byId.get(id) ?? []), mail])
      }
      copies += got.length - byId.size
      const days = await test.db.select().from(digestMails).where(eq(digestMails.accountId, tom.account.id))
      // One Message-ID a local day, and one row.
      expect([zone, byId.size <= days.length, new Set(days.map(({ day }) => day)).size]).toEqual([
        zone,
        true,
        days.length,
      ])
      expect(days.filter(({ sentAt }) => sentAt !== null).length).toBeLessThanOrEqual(byId.size)
      for (const mail of got) expect(mail.text).toMatch(/^- /m)
      // What is still unread is in the last mail, and so was lost on no day.
      expect([zone, got.length > 0]).toEqual([zone, true])
      for (const id of records) expect(got.at(-1)?.text).toContain(id)
    }
    for (const { tom, record, before } of read) {
      for (const mail of mails.to(tom.account.email).slice(before)) expect(mail.text).not.toContain(record)
    }
    expect(mails.to(quiet.account.email)).toEqual([])
    console.info(`${DAYS} days, ${kills} kills, ${spells} spells of a bad mail server, ${copies} second copies`)
    expect(kills).toBeGreaterThan(0)
    await test.db.update(digests).set({ rhythm: 'off', nextAt: null })
  })
})
