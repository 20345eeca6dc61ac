import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressOf, everyCall, isChange } from '#server/test/calls.ts'
import { makeAccount, makeFounder, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'
import { asSentences, createLog } from './log.ts'

const SECRET = 'a secret of 32 characters at least, for signing'
const WRONG_PASSWORD = 'wr0ng but telling'

let test: TestApp
const lines: string[] = []
const secrets = new Set<string>([PASSWORD, WRONG_PASSWORD, SECRET])

/** The current cookies of this browser, each whole and in parts. */
const remember = (client: TestClient) => {
  for (const value of client.cookies.values()) for (const part of [value, ...value.split('.')]) secrets.add(part)
}

/** Makes all kinds of calls, valid and invalid, with secrets in them, at the most verbose level. */
beforeAll(async () => {
  const log = createLog('trace', { write: (line: string) => void lines.push(line) })
  test = await startTestApp({ AUTH_SECRET: SECRET }, log)
  test.app.get('/api/fault', () => {
    throw new Error('A fault of ours')
  })
  const account = await makeAccount(test.db)
  const { id } = await makeFounder(test.db, { creator: account })
  const client = test.visitor()
  await client.get('/api/fault')
  remember(client)
  const email = 'logged@mit.edu'
  await client.post('/api/auth/register', { email, password: PASSWORD, name: 'Logged' })
  remember(client)
  await client.post('/api/auth/login', { email: account.email, password: WRONG_PASSWORD })
  await client.post('/api/auth/login', { email: account.email, password: PASSWORD })
  remember(client)
  const body = { email, password: PASSWORD, name: 'N', notes: 'n', content: 'c', linkedIn: 'https://linkedin.com/in/a' }
  const headers = { 'user-agent': '\u001b[31mred\u001b[0m "} {"level":60', authorization: `Bearer ${PASSWORD}` }
  for (const call of await everyCall(test.visitor())) {
    if (call.path.includes('events')) continue
    await client.call(call.method, addressOf(call, id), { headers, ...(isChange(call) && { body }) })
    remember(client)
  }
  await client.post('/api/auth/login', { email: 'a\r\nINFO login ok@mit.edu', password: WRONG_PASSWORD })
  await client.raw({ method: 'POST', url: '/api/auth/login', payload: `{"password":"${WRONG_PASSWORD}",` })
  await test.closeDatabase()
  await client.get('/api/founders')
  await client.post('/api/auth/login', { email, password: PASSWORD })
})
afterAll(() => test.app.close())

describe('The log', () => {
  it('has a line of JSON for each event, and line breaks only between them', () => {
    expect(lines.length).toBeGreaterThan(30)
    for (const line of lines) {
      expect(line.indexOf('\n')).toBe(line.length - 1)
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), time: expect.any(Number) })
    }
  })

  it('names the error and the lost database', () => {
    expect(lines.some((line) => line.includes('A fault of ours'))).toBe(true)
    expect(lines.some((line) => JSON.parse(line).level >= 40 && /database|could not be served/i.test(line))).toBe(true)
  })

  it('contains no password, no cookie, no token and no secret', () => {
    expect(secrets.size).toBeGreaterThan(15)
    const log = lines.join('')
    for (const secret of secrets) expect(log.includes(secret)).toBe(false)
    expect(log).not.toContain('argon2')
  })

  it('contains no terminal control characters', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters
    expect(lines.join('')).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f\x9b]/)
  })
})

describe('The log at a terminal', () => {
  it('consists of sentences, with the other fields and the frames of an error', () => {
    const shown: string[] = []
    const log = createLog('info', asSentences({ write: (text: string) => void shown.push(text) }))
    log.warn('Addresses are not verified.')
    log.info({ command: 'status', code: 0 }, 'A command has ended')
    log.error({ err: new Error('A fault of ours') }, 'A request failed')
    expect(shown).toEqual([
      'Addresses are not verified.\n',
      'A command has ended {"command":"status","code":0}\n',
      expect.stringMatching(/^A request failed\nError: A fault of ours\n\s+at .+\n$/s),
    ])
  })
})
