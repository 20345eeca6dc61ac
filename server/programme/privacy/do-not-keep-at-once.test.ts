import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { createEmptyApp, csv, IN, prepare, settled } from '#server/import/test/import-file.ts'
import { merge, type Row, undo } from '#server/merge/test/calls.ts'
import { rememberAddresses } from './remember-addresses.ts'
import { createWorld, other, person, REFUSED } from './test/listed.ts'

const test = createEmptyApp()
let world: Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  world = await createWorld(test)
})

/** Lists addresses in a transaction that ends after `meanwhile` has begun. */
async function listedMeanwhile<Result>(addresses: object, meanwhile: () => Promise<Result>): Promise<Result> {
  let answer: Promise<Result> | undefined
  await test.db.transaction(async (tx) => {
    await rememberAddresses(tx, uuidv7(), [], addresses)
    answer = meanwhile()
    const isEarly = await Promise.race([answer.then(() => true), new Promise((end) => setTimeout(end, 300, false))])
    expect(isEarly).toBe(false)
  })
  return answer as Promise<Result>
}

/** Every act that writes an address. Each is prepared before the address is listed. */
const ACTS: { act: string; of: (one: ReturnType<typeof person>) => Promise<() => Promise<Row>> }[] = [
  {
    act: 'adding',
    of:
      async ({ linkedIn }) =>
      async () =>
        world.ann.client.post('/api/founders', { name: 'X', linkedIn, notes: 'n' }),
  },
  {
    act: 'a correction of the profile',
    of: async ({ linkedIn }) => {
      const record = await world.add()
      return () => world.patch(record, { linkedIn })
    },
  },
  {
    act: 'a correction of the email address',
    of: async ({ email }) => {
      const record = await world.add()
      return () => world.patch(record, { email })
    },
  },
  {
    act: 'a merge',
    of: async (one) => {
      const [a, b] = [await world.add(), await world.add({ linkedIn: one.linkedIn })]
      return () => merge(world.ann.client, a, b, { linkedIn: 'duplicate' })
    },
  },
  {
    act: 'the undo of a merge',
    of: async (one) => {
      const { body } = await merge(world.ann.client, await world.add(), await world.add({ linkedIn: one.linkedIn }))
      return () => undo(world.ann.client, body.mergeId)
    },
  },
  {
    act: 'a restore',
    of: async (one) => {
      const { id } = await world.add({ linkedIn: one.linkedIn })
      await world.ann.client.delete(`/api/founders/${id}`)
      return () => world.manager.client.post(`/api/programme/deleted/${id}/restore`, {})
    },
  },
]

describe('An address that is listed while an act is under way', () => {
  it.each(ACTS)('is refused in $act', async ({ of }) => {
    const one = person()
    const act = await of(one)
    expect(await listedMeanwhile(one, act)).toMatchObject(REFUSED)
  })

  it('is refused in a row of an import', { tags: 'slow' }, async () => {
    const { linkedIn } = person()
    const { client } = world.ann
    const { id } = await prepare(client, csv('Name,LinkedIn,Notes', `Ada Gone,${linkedIn},n`, `Bea Kept,${other()},n`))
    await listedMeanwhile({ linkedIn }, async () => {
      await client.post(`/api/imports/${id}/run`)
      return settled(client, id)
    })
    expect((await settled(client, id)).counts).toMatchObject({ created: 1, refused: 1 })
  })

  it('holds back no one else', async () => {
    const answer = test.db.transaction(async (tx) => {
      await rememberAddresses(tx, uuidv7(), [], person())
      const linkedIn = other()
      return world.ann.client.post('/api/founders', { name: 'Free', linkedIn, notes: 'n' })
    })
    expect((await answer).status).toBe(201)
  })
})

const SPELLINGS = (handle: string) => [
  `${IN}${handle}`,
  `https://www.linkedin.com/mwlite/in/${handle}`,
  `https://m.linkedin.com/mwlite/in/${handle}/`,
  `https://linkedin.com/comm/in/${handle}?midToken=x`,
  `https://www.linkedin.com/comm/mwlite/in/${handle.toUpperCase()}`,
  `https://www.linkedin.com/m/in/${handle}`,
]

describe('A profile that is not to be kept', () => {
  it.each([0, 1, 2, 3, 4, 5])('is refused in each spelling, whichever was listed: %i', async (at) => {
    const handle = `gone-everywhere-${at}`
    await world.list({ linkedIn: SPELLINGS(handle)[at] })
    for (const linkedIn of SPELLINGS(handle)) {
      expect(await world.ann.client.post('/api/founders', { name: 'X', linkedIn, notes: 'n' })).toMatchObject(REFUSED)
    }
  })

  it('is refused under its old /pub/ address, which has no handle', async () => {
    const pub = 'https://www.linkedin.com/pub/zoe-vestorim/1A/2b3/4c5'
    await world.list({ linkedIn: pub })
    for (const linkedIn of [
      pub,
      'http://de.linkedin.com/pub/Zoe-Vestorim/1a/2b3/4c5/de?trk=x',
      'https://linkedin.com/comm/pub/zoe-vestorim/1a/2b3/4c5',
    ]) {
      expect(await world.ann.client.post('/api/founders', { name: 'X', linkedIn, notes: 'n' })).toMatchObject(REFUSED)
    }
    const namesake = 'https://www.linkedin.com/pub/zoe-vestorim/9/9/9'
    expect((await world.ann.client.post('/api/founders', { name: 'X', linkedIn: namesake, notes: 'n' })).status).toBe(
      201,
    )
  })

  it('is the same LinkedIn profile for duplicates, also once a record of an older version is migrated', async () => {
    const { body } = await world.ann.client.post('/api/founders', {
      ...{ name: 'Mia Mobile', linkedIn: 'https://www.linkedin.com/mwlite/in/mia-mobile', notes: 'n' },
    })
    const found = await world.ann.client.get(`/api/founders/similar?name=Someone&linkedIn=${IN}mia-mobile`)
    expect(found.body).toMatchObject([{ id: body.id, reason: 'linkedin' }])
    const keys = () => rowsOf(test.db, sql`select linked_in_key as key from records where id = ${body.id}`)
    expect(await keys()).toEqual([{ key: 'mia-mobile' }])
    await test.db.execute(sql`update records set linked_in_key = null`)
    await test.db.execute(sql.raw(readFileSync('server/db/migrations/0052-profiles-of-the-mobile-site.sql', 'utf8')))
    expect(await keys()).toEqual([{ key: 'mia-mobile' }])
  })
})
