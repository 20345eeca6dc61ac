import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spanOfWeek, weekAfter, weekOf, weekWords } from '#contract/weeks.ts'
import { authSecret } from '#server/auth/sessions/secret.ts'
import { digestMails, digests } from '#server/db/schema.ts'
import { mark, mention, type Reader, readerOf, settle } from '#server/inbox/test/world.ts'
import { addDays } from '#server/records/days.ts'
import { makeFounder } from '#server/test/factories.ts'
import type { ReceivedMail } from '#server/test/mail-server.ts'
import { superuserUrl } from '#server/test/test-database.ts'
import { isMonday } from './due.ts'
import { ADDRESS, headerOf, type MailWorld, openMailWorld, subscriber } from './test/world.ts'
import { messageId } from './tokens.ts'

const DAYS = Number(process.env.ROUNDS ?? (process.env.LONG ? 200 : 6))
/** Days with a good mail server after them, of which one is a Monday: what is unread then was lost on none. */
const CALM_DAYS = 8
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
let secret: string
beforeAll(async () => {
  world = await openMailWorld()
  maya = await readerOf(world.test, { name: 'Maya' })
  secret = await authSecret(world.test.db, undefined)
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
const oneOf = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item

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

/** A fellow who gets mails, with what a mail should say: the records of unread mentions, and what is new in a watched search. */
type Person = {
  reader: Reader
  chosen: { timeZone: string; rhythm: 'daily' | 'weekdays' | 'mondays'; hasWeek: boolean }
  mentions: string[]
  search: { id: string; name: string; all: string[]; added: Set<string>; changed: Set<string> }
}

async function newPerson(number: number, chosen: Person['chosen'], hour: number): Promise<Person> {
  const nextAt = new Date(`${addDays(FIRST, -1)}T00:00:00Z`)
  const role = chosen.hasWeek ? 'manager' : 'fellow'
  const reader = await subscriber(world, { name: `Reader ${number}`, role }, { ...chosen, hour, nextAt })
  const name = `Sought${number}`
  const { id } = (await reader.client.post('/api/searches', { name, kind: 'founder', query: `search=${name}` })).body
  await reader.client.put(`/api/searches/${id}/watch`, { isWatched: true })
  const mentions: string[] = []
  for (let record = 0; record < 3; record += 1) {
    const founder = await makeFounder(world.test.db, { creator: maya.account, name: `Founder ${number} ${record}` })
    await mention(maya, founder.id, reader)
    mentions.push(founder.id)
  }
  return { reader, chosen, mentions, search: { id, name, all: [], added: new Set(), changed: new Set() } }
}

/** One thing happens to a person: a record comes into the search or is changed, or something is read or done. */
async function act({ reader, mentions, search }: Person): Promise<void> {
  const chosen = random(7)
  if (chosen < 2) {
    const { id } = await makeFounder(world.test.db, {
      ...{ creator: maya.account, name: `${search.name} number ${search.all.length}` },
    })
    search.all.push(id)
    search.added.add(id)
  } else if (chosen < 4 && search.all.length > 0) {
    const id = oneOf(search.all)
    await maya.client.post(`/api/notes/founder/${id}`, { content: 'Called' })
    if (!search.added.has(id)) search.changed.add(id)
  } else if (chosen < 5) {
    const record = mentions.pop()
    if (record !== undefined) await mark(reader, oneOf(['read', 'done']), { record })
  } else {
    await settle()
    const { headers } = await reader.client.get('/api/searches')
    if (chosen === 5) await mark(reader, oneOf(['read', 'done']), { keys: [`search:${search.id}`] }, { group: 'news' })
    else await reader.client.post(`/api/searches/${search.id}/seen`, { until: headers['x-seen-until'] })
    search.added.clear()
    search.changed.clear()
  }
  await settle()
}

const lineIn = (part: string, count: number) => `${part}: ${count} founder${count === 1 ? '' : 's'}`

/** The lines of the mail of a day. `weeks` has how many founders Maya added in each week. */
function expectedOf({ chosen, mentions, search }: Person, day: string, weeks: ReadonlyMap<string, number>): string[] {
  const week = weekAfter(weekOf(Date.parse(day)), -1)
  const added = chosen.hasWeek && isMonday(day) ? (weeks.get(week) ?? 0) : 0
  const news = [
    ...(search.added.size > 0 ? [`${search.added.size} new`] : []),
    ...(search.changed.size > 0 ? [`${search.changed.size} changed`] : []),
  ]
  const isDaily = chosen.rhythm !== 'mondays'
  return [
    ...(added > 0 ? [weekWords(week), lineIn('New', added), lineIn('Found by, Maya', added)] : []),
    ...(isDaily ? mentions.toSorted() : []),
    ...(isDaily && news.length > 0 ? [`${news.join(', ')} in ${search.name}`] : []),
  ]
}

/** What a mail says: its week with the numbers, then the records of mentions, then what is new in searches. */
function linesOf({ text }: ReceivedMail): string[] {
  const week = /^(Week \d+ of \d+), as of/.exec(text)?.[1]
  const lines = [...text.matchAll(/^- (.*)\r?\n {2}(\S+)/gm)].map(([, words = '', address = '']) => ({
    words,
    address,
  }))
  const numbers = lines.filter(({ words }) => /^(New|Found by, .*): /.test(words))
  const named = lines.filter(({ words }) => words.includes('mentioned you'))
  const rest = lines.filter((line) => ![...numbers, ...named].includes(line) && line.words !== 'The whole list')
  return [
    ...(week === undefined ? [] : [week]),
    ...numbers.map(({ words }) => words.split(': ').slice(0, 2).join(': ')),
    ...named.map(({ address }) => address.replace(/^.*\//, '')).toSorted(),
    ...rest.map(({ words }) => words),
  ]
}

describe('Simulated days, with kill -9 and a mail server that refuses, stalls and takes twice', {
  tags: 'slow',
  timeout: 3_600_000,
}, () => {
  it('at most one mail a person and day, only what was unread, none empty, nothing lost, a second copy only with the same Message-ID', async () => {
    const { test, mails } = world
    const people: Person[] = []
    for (const timeZone of ZONES) {
      const chosen = { timeZone, rhythm: random(3) === 0 ? 'weekdays' : 'daily', hasWeek: false } as const
      people.push(await newPerson(people.length, chosen, random(24)))
    }
    const berlin = { timeZone: 'Europe/Berlin', rhythm: 'daily', hasWeek: true } as const
    people.push(await newPerson(people.length, berlin, random(24)))
    people.push(await newPerson(people.length, { timeZone: 'UTC', rhythm: 'mondays', hasWeek: true }, 7))
    const weeks = new Map<string, number>()
    for (let week = -1; week <= (DAYS + CALM_DAYS) / 7; week += 1) {
      const name = weekAfter(weekOf(Date.parse(FIRST)), week)
      const createdAt = new Date(spanOfWeek(name)[0] + 86_400_000)
      weeks.set(name, random(3))
      for (let added = 0; added < (weeks.get(name) ?? 0); added += 1) {
        await makeFounder(test.db, { creator: maya.account, name: `Of ${name}`, createdAt })
      }
    }
    const quiet = await subscriber(world, { name: 'Nothing unread' })
    const started = { url: await superuserUrl(test.db), smtpUrl: mails.url, secret }

    /** Compares the mails that have come with what a mail should say now. Returns how many each person got. */
    const read = new Map<Person, number>(people.map((person) => [person, 0]))
    const compare = async () => {
      // What a killed process has written is still to be read.
      await pause(100)
      const counts: number[] = []
      for (const person of people) {
        const { account } = person.reader
        const taken = await test.db.select().from(digestMails).where(eq(digestMails.accountId, account.id))
        const dayOf = new Map(taken.map(({ day }) => [messageId(secret, { address: ADDRESS }, account.id, day), day]))
        const come = mails.to(account.email).slice(read.get(person))
        for (const mail of come) {
          // One Message-ID a local day.
          const day = dayOf.get(headerOf(mail, 'Message-ID') ?? '')
          const lines = linesOf(mail)
          expect([person.chosen, day, lines]).toEqual([
            ...[person.chosen, expect.any(String), expectedOf(person, day ?? FIRST, weeks)],
          ])
          expect(lines.length).toBeGreaterThan(0)
        }
        read.set(person, mails.to(account.email).length)
        counts.push(come.length)
      }
      return counts
    }

    const hours = (from: number, days: number) =>
      Array.from({ length: days * 24 }, (_, hour) =>
        new Date(Date.parse(FIRST) + (from * 24 + hour) * 3_600_000 + 5 * 60_000).toISOString(),
      )
    const times = hours(0, DAYS)
    let [kills, spells] = [0, 0]
    const weather = setInterval(() => {
      const mood = oneOf(MOODS)
      if (mood !== 'taking') spells += 1
      mails.be(mood)
    }, 250)
    for (let from = 0; from < times.length; ) {
      const isKilled = kills < DAYS
      const next = times.slice(from, from + 1 + random(72))
      // A killed time is the next one again, in another process.
      from += (await sendUntilKilled(started, next, isKilled ? random(1500) : undefined)).length
      kills += Number(isKilled)
      await compare()
      await act(oneOf(people))
    }
    clearInterval(weather)
    mails.be('taking')
    expect((await sendUntilKilled(started, hours(DAYS, CALM_DAYS), undefined)).length).toBe(CALM_DAYS * 24)
    const days = Array.from({ length: CALM_DAYS }, (_, day) => addDays(FIRST, DAYS + day))
    const isMailed = (person: Person) => days.some((day) => expectedOf(person, day, weeks).length > 0)
    expect((await compare()).map((count) => count > 0)).toEqual(people.map(isMailed))

    let [sent, copies] = [0, 0]
    for (const { reader } of people) {
      const got = mails.to(reader.account.email)
      const ids = new Set(got.map((mail) => headerOf(mail, 'Message-ID')))
      const taken = await test.db.select().from(digestMails).where(eq(digestMails.accountId, reader.account.id))
      expect(taken.filter(({ sentAt }) => sentAt !== null).length).toBeLessThanOrEqual(ids.size)
      sent += ids.size
      copies += got.length - ids.size
    }
    expect(mails.to(quiet.account.email)).toEqual([])
    console.info(
      `${DAYS} days, ${kills} kills, ${spells} spells of a bad mail server, ${sent} mails, ${copies} second copies`,
    )
    expect(kills).toBeGreaterThan(0)
    await test.db.update(digests).set({ rhythm: 'off', nextAt: null })
  })
})
