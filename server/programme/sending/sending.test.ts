import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { demote } from '#server/auth/account-admin.ts'
import { findAccount, type KnownAccount } from '#server/auth/store.ts'
import { auditLog, sessions } from '#server/db/schema.ts'
import { endOthers, type MailWorld, openMailWorld, sendAt, subscriber } from '#server/digest/test/world.ts'
import { mention, type Reader, readerOf } from '#server/inbox/test/world.ts'
import { sending } from '#server/ops/cli/commands/sending.ts'
import { pauseSending } from '#server/sending/store.ts'
import { makeFounder } from '#server/test/factories.ts'
import { startTestApp } from '#server/test/test-app.ts'

let world: MailWorld
let manager: Reader
beforeAll(async () => {
  world = await openMailWorld()
  manager = await readerOf(world.test, { name: 'Priya', role: 'manager' })
  await readerOf(world.test, { name: 'Quinn', role: 'manager' })
})
afterAll(() => world.close())
afterEach(async () => {
  await endOthers(world)
  await world.test.db.execute(sql`delete from settings where key in ('sending-paused', 'names-outside')`)
})

const PATH = '/api/programme/sending'
const ON = { isPaused: false, showsNames: true, isFixed: false, isRestored: false, isKeyStored: true, namesBy: null }
const MORNING = '2031-01-01T08:05:00Z'

const waiting = async () => {
  const tom = await subscriber(world)
  await mention(await readerOf(world.test, { name: 'Maya' }), (await makeFounder(world.test.db)).id, tom)
  return tom
}

describe('Sending', () => {
  it('is paused after a restore: what is due waits, and one click of a manager goes on', async () => {
    const tom = await waiting()
    await pauseSending(world.test.db, 'restored')
    expect((await manager.client.get(PATH)).body).toEqual({ ...ON, isPaused: true, isRestored: true })
    expect(await sendAt(world, MORNING)).toBe(0)
    expect((await manager.client.put(PATH, { isPaused: false, showsNames: true })).body).toEqual(ON)
    expect(await sendAt(world, MORNING)).toBe(1)
    expect(world.mails.to(tom.account.email).length).toBe(1)
  })

  it('goes on by the operator, where there is no manager', async () => {
    await waiting()
    await pauseSending(world.test.db, 'restored')
    const lines: string[] = []
    const run = (args: string[], isSendingOff = false) =>
      sending.run(
        { db: world.test.db, settings: { isSendingOff }, out: (line: string) => lines.push(line) } as never,
        args,
      )
    expect([await run([]), await run(['off'])]).toEqual([2, 2])
    await expect(run(['on'], true)).rejects.toThrow('SENDING=off pauses sending')
    expect([await run(['on']), await run(['on'])]).toEqual([0, 0])
    expect(lines).toEqual(['Sending goes on.', 'Sending goes on.'])
    expect(await sendAt(world, MORNING)).toBe(1)
  })

  it('is off by SENDING=off, for any other copy, and no manager can go on', async () => {
    await waiting()
    expect(await sendAt(world, MORNING, { isSendingOff: true })).toBe(0)
    const copy = await startTestApp({ SENDING: 'off' })
    const other = await readerOf(copy, { role: 'manager' })
    expect((await other.client.get(PATH)).body).toEqual({ ...ON, isPaused: true, isFixed: true })
    const { status, body } = await other.client.put(PATH, { isPaused: false, showsNames: true })
    expect([status, body.error]).toEqual([409, 'The settings of the server pause sending. Ask the operator.'])
    expect((await other.client.put(PATH, { isPaused: true, showsNames: false })).status).toBe(200)
    await copy.close()
  })

  it('says what would go to whom, page by page, and not what anyone has read', async () => {
    const [ann, bob] = [
      await subscriber(world, { name: 'Ann' }),
      await subscriber(world, { name: 'Bob' }, { rhythm: 'weekdays', hour: 7 }),
    ]
    const mails = []
    let url: string | undefined = `${PATH}/mails?limit=1`
    while (url !== undefined) {
      const { body, headers } = await manager.client.get(url)
      mails.push(...body)
      url = /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
    }
    expect(mails).toEqual([
      { id: ann.publicId, name: 'Ann', email: ann.account.email, when: 'daily', hour: 8, timeZone: 'UTC', week: false },
      {
        ...{ id: bob.publicId, name: 'Bob', email: bob.account.email },
        when: 'weekdays',
        hour: 7,
        timeZone: 'UTC',
        week: false,
      },
    ])
  })

  it('is for managers alone', async () => {
    const tom = await readerOf(world.test)
    const answers = [
      await tom.client.get(PATH),
      await tom.client.get(`${PATH}/mails`),
      await tom.client.put(PATH, { isPaused: true, showsNames: true }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
  })

  it.each([
    ['isPaused', { isPaused: 'no' }, 'Say whether sending is paused'],
    ['showsNames', { showsNames: undefined }, 'Say whether mails have names'],
  ])('is refused at the field %s', async (field, wrong, sentence) => {
    const { status, body } = await manager.client.put(PATH, { isPaused: false, showsNames: true, ...wrong })
    expect([status, body.fields]).toEqual([400, { [field]: sentence }])
  })

  it('is in the history, with before and after', async () => {
    await manager.client.put(PATH, { isPaused: true, showsNames: true })
    await manager.client.put(PATH, { isPaused: true, showsNames: true })
    const entries = await world.test.db
      .select({ before: auditLog.before, after: auditLog.after })
      .from(auditLog)
      .where(eq(auditLog.accountId, manager.account.id))
    expect(entries.filter(({ after }) => after?.isPaused === true)).toEqual([
      { before: { isPaused: false, showsNames: true }, after: { isPaused: true, showsNames: true } },
    ])
  })
})

describe('Names in mails', () => {
  it('are switched off by a manager at once, and on only with a proof of identity', async () => {
    const off = { isPaused: false, showsNames: false }
    await world.test.db.update(sessions).set({ confirmedAt: null }).where(eq(sessions.accountId, manager.account.id))
    expect((await manager.client.put(PATH, off)).body).toEqual({ ...ON, ...off })
    const refused = await manager.client.put(PATH, { isPaused: false, showsNames: true })
    expect([refused.status, refused.body.code]).toEqual([403, 'confirm'])
    await world.test.db
      .update(sessions)
      .set({ confirmedAt: new Date() })
      .where(eq(sessions.accountId, manager.account.id))
    const { body } = await manager.client.put(PATH, { isPaused: false, showsNames: true })
    expect(body).toEqual({ ...ON, namesBy: { id: manager.publicId, name: 'Priya' } })
  })

  it('stop when the manager who switched them on is one no more, until another one confirms it', async () => {
    const leaving = await readerOf(world.test, { name: 'Lea', role: 'manager' })
    await world.test.db.update(sessions).set({ confirmedAt: new Date() })
    await manager.client.put(PATH, { isPaused: false, showsNames: false })
    await leaving.client.put(PATH, { isPaused: false, showsNames: true })
    expect((await manager.client.get(PATH)).body).toMatchObject({ showsNames: true, namesBy: { name: 'Lea' } })
    await demote(world.test.db, (await findAccount(world.test.db, leaving.account.email)) as KnownAccount, 'operator')
    expect((await manager.client.get(PATH)).body).toMatchObject({ showsNames: false, namesBy: null })
    const { body } = await manager.client.put(PATH, { isPaused: false, showsNames: true })
    expect(body).toMatchObject({ showsNames: true, namesBy: { name: 'Priya' } })
  })
})
