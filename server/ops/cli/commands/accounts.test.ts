import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts as rows, sessions } from '#server/db/schema.ts'
import { readSettings } from '#server/ops/settings.ts'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'
import type { Command } from '../command.ts'
import { accounts } from './accounts.ts'
import { history } from './history.ts'

let test: TestApp
let base: string
beforeAll(async () => {
  test = await startTestApp()
  base = await test.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => test.close())

/** Without the line breaks of the terminal: rows of the history are cut, sentences are wrapped. */
const onOneLine = (line: string) => line.replaceAll('\n  ', '').replaceAll('\n', ' ')

const run = async (command: Command, args: string[]) => {
  const lines: string[] = []
  const out = (line: string) => void lines.push(line)
  const settings = readSettings({ PUBLIC_URL: 'https://sourcebook.test' })
  const { database, db } = test
  const { signal } = new AbortController()
  const code = await command.run({ database, db, settings, folder: '.', signal, out }, args)
  return { code, lines: lines.map(onOneLine) }
}
const operate = (...args: string[]) => run(accounts, args)

const login = (email: string, password = PASSWORD, client = test.visitor()) =>
  client.post('/api/auth/login', { email, password })

const fellow = async (overrides: Parameters<typeof makeAccount>[1] = {}) => {
  const account = await makeAccount(test.db, overrides)
  const client = test.visitor()
  await login(account.email, PASSWORD, client)
  return { ...account, client }
}

const cookieOf = (client: TestClient) =>
  [...client.cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ')

describe('The operator listing accounts', () => {
  it('sees name, protection and ways to sign in', async () => {
    const { email } = await fellow({ name: 'Grace Hopper', emailVerified: true })
    const { code, lines } = await operate('list', '--search', email.toUpperCase())
    expect(code).toBe(0)
    expect(lines).toHaveLength(2)
    expect(lines[0]).toBe(`${email}  Grace Hopper`)
    expect(lines[1]).toMatch(/^ {2}fellow, verified, password, 1 session, seen \d{4}-\d\d-\d\dT[\d:]+Z$/)
  })

  it('finds them by a part of the name, in which % is a plain character', async () => {
    await makeAccount(test.db, { name: 'Zed 100% Sure' })
    expect((await operate('list', '--search', '100% s')).lines).toHaveLength(2)
    expect((await operate('list', '--search', '1%s')).lines).toHaveLength(0)
  })

  it('can list them as JSON', async () => {
    const { email, name } = await makeAccount(test.db)
    const { lines } = await operate('list', '--search', email, '--json')
    expect(JSON.parse(lines.join('\n'))).toEqual([
      {
        email,
        name,
        role: 'fellow',
        isVerified: false,
        isDisabled: false,
        hasLeft: false,
        isPending: false,
        hasTwoFactor: false,
        waysIn: ['password'],
        sessions: 0,
        createdAt: expect.stringMatching(/Z$/),
        lastSeenAt: null,
      },
    ])
  })

  it('is safe from control characters in a name', async () => {
    const { email } = await makeAccount(test.db, { name: 'Evil \u001b[2J\u202e' })
    expect((await operate('list', '--search', email)).lines[1]).not.toMatch(/\p{C}/u)
  })
})

describe('Disabling an account', () => {
  it('ends its sessions on every server and its live streams, within a second', { tags: 'slow' }, async () => {
    const { email, client } = await fellow()
    const elsewhere = await test.startAgain()
    const stream = await fetch(`${base}/api/events`, { headers: { cookie: cookieOf(client) } })
    const ended = stream.text()
    const began = Date.now()
    expect((await operate('disable', email)).lines).toEqual([`${email} is disabled; its session has ended.`])
    expect((await client.get('/api/auth/me')).status).toBe(401)
    const answer = await elsewhere.inject({ url: '/api/founders', headers: { cookie: cookieOf(client) } })
    expect(answer.statusCode).toBe(401)
    await ended
    expect(Date.now() - began).toBeLessThan(1000)
    await elsewhere.close()
  })

  it('refuses sign-in with 403 after the right password, and with the same 401 after a wrong one', async () => {
    const { email } = await fellow()
    await operate('disable', email)
    expect(await login(email)).toMatchObject({
      status: 403,
      body: { error: 'This account is disabled. Ask an administrator.' },
    })
    expect((await login(email, 'not the password')).status).toBe(401)
  })

  it('also ends a session that was opened at that moment', async () => {
    const { id, client } = await fellow()
    await test.db.update(rows).set({ disabledAt: new Date() }).where(eq(rows.id, id))
    expect((await client.get('/api/auth/me')).status).toBe(401)
  })

  it('is undone by enabling the account, which then has to sign in again', async () => {
    const { email, client } = await fellow()
    await operate('disable', email)
    await operate('enable', email)
    expect((await client.get('/api/auth/me')).status).toBe(401)
    expect((await login(email)).status).toBe(200)
  })
})

describe('Resetting an account', () => {
  const tokenOf = (lines: string[]) => /token=([\w-]{43})$/.exec(lines[1] ?? '')?.[1]
  const choose = (token: string | undefined, password = 'an entirely new one') =>
    test.visitor().post('/api/auth/reset/confirm', { token, password })

  it('deletes password and sessions immediately, and prints a link that sets a new password once', {
    tags: 'slow',
  }, async () => {
    const { email, client } = await fellow()
    const { lines } = await operate('reset', email)
    expect(lines[1]).toMatch(/^https:\/\/sourcebook\.test\/auth\/reset#token=/)
    expect((await client.get('/api/auth/me')).status).toBe(401)
    expect((await login(email)).status).toBe(401)
    const token = tokenOf(lines)
    expect((await choose(token)).status).toBe(204)
    expect((await login(email, 'an entirely new one')).status).toBe(200)
    expect((await choose(token)).status).toBe(400)
  })

  it('does not verify the address', async () => {
    const { id, email } = await fellow()
    await choose(tokenOf((await operate('reset', email)).lines))
    const [row] = await test.db.select().from(rows).where(eq(rows.id, id))
    expect(row?.emailVerified).toBe(false)
  })

  it('invalidates earlier links', async () => {
    const { email } = await fellow()
    const first = tokenOf((await operate('reset', email)).lines)
    await operate('reset', email)
    expect((await choose(first)).status).toBe(400)
  })

  it('can print JSON', async () => {
    const { email } = await fellow()
    const { lines } = await operate('reset', email, '--json')
    expect(JSON.parse(lines.join('\n'))).toEqual({ email, done: 'reset', link: expect.stringContaining('token=') })
  })
})

describe('The operator', () => {
  it('ends all sessions of an account', async () => {
    const { id, email } = await fellow()
    await login(email)
    expect((await operate('end-sessions', email)).lines).toEqual([`${email}: its 2 sessions have ended.`])
    expect(await test.db.$count(sessions, eq(sessions.accountId, id))).toBe(0)
  })

  it('ends the access tokens of an account', async () => {
    const { id, email } = await fellow()
    await test.db.execute(sql`insert into access_tokens (id, account_id, name, hash, last_four, can_export, can_write, expires_at)
      values (${id}, ${id}, 'Sync', ${id}, '', false, false, now() + interval '1 day')`)
    expect((await operate('end-tokens', email)).lines).toEqual([`${email}: 1 access token has ended.`])
    expect((await operate('end-tokens', email)).lines).toEqual([`${email}: 0 access tokens have ended.`])
  })

  it('switches the second factor off for a person who has lost app and codes', async () => {
    const { id, email } = await fellow()
    await test.db.execute(`insert into two_factors (account_id, secret, confirmed_at) values ('${id}', 'x', now())`)
    expect((await login(email)).body).toEqual({ action: 'two_factor' })
    await operate('two-factor-off', email)
    expect((await login(email)).body.user.email).toBe(email)
  })

  it('marks an address as verified', async () => {
    const { email, client } = await fellow()
    await operate('verify', email.toUpperCase())
    expect((await client.get('/api/account')).body.emailVerified).toBe(true)
  })

  it.each(['disable', 'enable', 'reset', 'end-sessions', 'two-factor-off', 'verify', 'approve', 'make-manager'])(
    'writes an audit entry for %s, which a search shows',
    async (verb) => {
      const { id, email } = await makeAccount(test.db)
      await operate(verb, email)
      expect((await run(history, ['search', '--id', id])).lines).toEqual([
        expect.stringMatching(`Z  -  -  account-${verb}  account  ${id}  {"by":"operator","email":"${email}"}$`),
      ])
    },
  )

  it('writes none when the command fails', { tags: 'slow' }, async () => {
    const { email } = await makeAccount(test.db)
    await test.db.execute(`alter table one_time_tokens rename to elsewhere`)
    await expect(operate('reset', email)).rejects.toThrow()
    await test.db.execute(`alter table elsewhere rename to one_time_tokens`)
    expect((await login(email)).status).toBe(200)
    expect((await run(history, ['search', '--action', 'account-reset'])).lines.join()).not.toContain(email)
  })

  it('approves a waiting account', async () => {
    const { id, email } = await makeAccount(test.db)
    await test.db.update(rows).set({ pendingSince: new Date() }).where(eq(rows.id, id))
    expect((await operate('list', '--search', email)).lines[1]).toMatch(/^ {2}fellow, waits for approval, /)
    expect((await login(email)).status).toBe(403)
    expect((await operate('approve', email)).lines).toEqual([`${email} is approved and can sign in.`])
    expect((await operate('list', '--search', email)).lines[1]).toMatch(/^ {2}fellow, not verified, /)
    expect((await login(email)).status).toBe(200)
  })

  it('makes a manager, which the session shows from the next request on', async () => {
    const { name, email, client } = await fellow()
    const user = { name, email }
    expect((await client.get('/api/auth/me')).body).toMatchObject({ user })
    expect((await operate('make-manager', email)).lines).toEqual([`${email} is a manager.`])
    expect((await client.get('/api/auth/me')).body).toMatchObject({ user, role: 'manager' })
    expect((await operate('list', '--search', email)).lines[1]).toMatch(/^ {2}manager, /)
  })

  it('prints an invitation link, for one address or for one person', async () => {
    const link = /^https:\/\/sourcebook\.test\/auth#invitation=[\w-]{43}$/
    const { lines } = await operate('invite', 'guest@mit.edu')
    expect(lines).toEqual(['This link lets guest@mit.edu sign up, once, within 14 days:', expect.stringMatching(link)])
    expect((await operate('invite')).lines).toEqual([
      'This link lets one person sign up, once, within 14 days:',
      expect.stringMatching(link),
    ])
    const json = JSON.parse((await operate('invite', '--json')).lines.join('\n'))
    expect(json).toEqual({ done: 'invite', link: expect.stringMatching(link) })
    expect((await run(history, ['search', '--action', 'account-invite'])).lines).toEqual([
      expect.stringMatching(/account-invite {2}invitation {2}[\w-]{36} {2}{"by":"operator"}$/),
      expect.stringMatching(/account-invite {2}invitation {2}[\w-]{36} {2}{"by":"operator"}$/),
      expect.stringMatching(/account-invite {2}invitation {2}[\w-]{36} {2}{"by":"operator","email":"guest@mit.edu"}$/),
    ])
  })

  it('invites no address that may not join or has an account, and prints no link', async () => {
    const { email } = await makeAccount(test.db)
    await expect(operate('invite', email)).rejects.toThrow('An account with this email address already exists')
    await expect(operate('invite', 'guest@evil.com')).rejects.toThrow('Use an educational (.edu) address')
    expect((await run(history, ['search', '--action', 'account-invite'])).lines.join()).not.toContain('evil')
  })

  it('allows other spellings of a disabled address', async () => {
    const { id, email } = await makeAccount(test.db, { email: 'former@mit.edu' })
    const other = 'f.ormer+2@mit.edu'
    const signUp = () => test.visitor().post('/api/auth/register', { email: other, password: PASSWORD, name: 'Former' })
    await operate('disable', email)
    expect((await signUp()).status).toBe(403)
    expect((await operate('allow', other)).lines).toEqual(['Other spellings of former@mit.edu may sign up.'])
    expect((await run(history, ['search', '--action', 'account-allow'])).lines).toEqual([
      expect.stringMatching(`Z  -  -  account-allow  account  ${id}  {"by":"operator","email":"${email}"}$`),
    ])
    expect((await signUp()).status).toBe(201)
    await expect(operate('allow', 'other@mit.edu')).rejects.toThrow(
      'other@mit.edu is not another spelling of a disabled account.',
    )
  })

  it('is an error when there is no such account', async () => {
    await expect(operate('disable', 'unknown@mit.edu')).rejects.toThrow(
      'There is no account with the address unknown@mit.edu.',
    )
  })

  it.each([
    [[]],
    [['disable']],
    [['allow']],
    [['approve']],
    [['invite', 'a@mit.edu', 'b@mit.edu']],
    [['explode', 'a@mit.edu']],
    [['list', 'a@mit.edu']],
    [['list', '--loud']],
    [['disable', 'a@mit.edu', 'b@mit.edu']],
    [['disable', 'a@mit.edu', '--search', 'x']],
    [['constructor', 'a@mit.edu']],
  ])('gets the usage after %j', async (args) => {
    expect((await operate(...args)).code).toBe(2)
  })
})
