import { execFile } from 'node:child_process'
import { cpSync, existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { caller } from '#server/test/http-caller.ts'
import { type MailServer, openMailServer, tokenIn } from '#server/test/mail-server.ts'
import { many, PATIENCE_MS, printLine, within } from './sizes.ts'
import { documentedSettings } from './test/documented.ts'
import { freePort, type Nginx, startNginx } from './test/nginx.ts'
import { follow } from './test/stream.ts'
import { type Cluster, newFolder, openCluster, start, timeUntil } from './test/worlds.ts'

// The first day of docs/operations.md as it is written there: its settings, its nginx.conf, its commands.

const ROOT = resolve(import.meta.dirname, '..')
const INVITED = 40
const PASSWORD = 'a long enough password'
const MANAGER = 'grace@example.com'
const ERASED = 'Ottilie Quandrel'
const isLong = process.env.LONG === '1'

type Caller = ReturnType<typeof caller>
type Outcome = { code: number; stdout: string; stderr: string }
type Setup = Awaited<ReturnType<typeof setUp>>

/** Step 1 and 2: the settings, the proxy, two processes. */
async function setUp(cluster: Cluster, mail: MailServer, more: Record<string, string> = {}) {
  const folder = newFolder()
  const ports: [number, number] = [await freePort(), await freePort()]
  const proxy = await startNginx(newFolder(), ports)
  const settings = {
    ...documentedSettings(),
    DATA_DIR: join(folder, 'data'),
    BACKUP_DIR: join(folder, 'backups'),
    PUBLIC_URL: proxy.url,
    SMTP_URL: mail.url,
    DATABASE_URL: await cluster.newDatabase(),
    ENRICHMENT_PROVIDERS: 'none',
    ...more,
  }
  // The product with its `.env` beside package.json. Its commands install and build nothing, because nothing has changed.
  const place = join(folder, 'product')
  cpSync(join(ROOT, 'scripts'), join(place, 'scripts'), { recursive: true })
  for (const name of ['package.json', 'package-lock.json', 'vite.config.ts'])
    cpSync(join(ROOT, name), join(place, name))
  for (const name of ['node_modules', 'dist', 'contract', 'server', 'web'])
    symlinkSync(join(ROOT, name), join(place, name))
  const lines = Object.entries(settings).map(([name, value]) => `${name}="${value}"`)
  writeFileSync(join(place, '.env'), lines.join('\n'), { mode: 0o600 })
  const startOn = (port: number) => start({ ...settings, PORT: String(port) })
  const servers = await Promise.all(ports.map(startOn))
  /** Restarts one of the processes. */
  const restart = async (place: 0 | 1) => {
    const ended = await servers[place]?.end('SIGTERM')
    expect([ended?.code, ended?.stderr]).toEqual([0, ''])
    servers[place] = await startOn(ports[place])
  }
  /** `npm run operator -- …`, `npm run backup -- …` and `npm run restore -- …`, with settings on the command line. */
  const command = (words: string[], onCommandLine: Record<string, string> = {}) =>
    new Promise<Outcome>((done) => {
      const env = { PATH: process.env.PATH, INIT_CWD: folder, ...onCommandLine }
      const program = [join(place, 'scripts/operator.mjs'), ...words]
      execFile(process.execPath, program, { cwd: place, env }, (error, stdout, stderr) =>
        done({ code: Number(error?.code ?? 0), stdout, stderr }),
      )
    })
  return { folder, settings, proxy, command, restart }
}

/** Signs up by the link of an invitation, confirms the address by the mail, and signs in. */
async function joinBy(invitation: string, email: string, proxy: Nginx, mail: MailServer, before = 0): Promise<Caller> {
  const person = caller()
  const { call } = person
  await call(proxy, 'GET', '/auth/me')
  const name = email.replace(/@.*/, '')
  const joined = await call(proxy, 'POST', '/auth/register', { email, password: PASSWORD, name, invitation })
  expect([joined.status, await joined.json()]).toMatchObject([201, { action: 'verify_email', isMailed: true }])
  const token = tokenIn(await mail.next(email, before))
  expect((await call(proxy, 'POST', '/auth/verify', { token })).status).toBe(204)
  await signIn(person, email, proxy)
  return person
}

async function signIn({ call }: Caller, email: string, proxy: { url: string }) {
  const signedIn = await call(proxy, 'POST', '/auth/login', { email, password: PASSWORD })
  expect([signedIn.status, await signedIn.json()]).toMatchObject([200, { user: { email } }])
  return signedIn
}

/** Steps 3 to 6: the first manager by the operator, and 40 people by invitations. */
async function gather({ proxy, command }: Setup, mail: MailServer) {
  const invited = await command(['accounts', 'invite', MANAGER])
  expect([invited.code, invited.stderr]).toEqual([0, ''])
  const [, token = ''] = new RegExp(`${proxy.url}/auth#invitation=(\\S+)`).exec(invited.stdout) ?? []
  const manager = await joinBy(token, MANAGER, proxy, mail)
  expect((await command(['accounts', 'make-manager', MANAGER])).code).toBe(0)
  const me = await manager.call(proxy, 'GET', '/auth/me')
  expect(await me.json()).toMatchObject({ role: 'manager' })

  const emails = Array.from({ length: INVITED }, (_, index) => `fellow${index}@mit.edu`)
  const answer = await manager.call(proxy, 'POST', '/programme/invitations', { emails })
  const outcomes = (await answer.json()) as { email: string; link?: string; error?: string }[]
  expect(outcomes.map(({ email, link, error }) => [email, link, error])).toEqual(
    emails.map((email) => [email, undefined, undefined]),
  )
  const fellows: Caller[] = []
  for (const email of emails) {
    const { text, subject } = await mail.next(email)
    expect(subject).toBe('Your invitation to Example Fellows on Sourcebook')
    const [, token = ''] = new RegExp(`${proxy.url}/auth#invitation=([\\w-]+)`).exec(text) ?? []
    fellows.push(await joinBy(token, email, proxy, mail, 1))
  }
  return { manager, fellows }
}

const upload = (proxy: Nginx, { headers }: Caller, name: string, body: string | Buffer) =>
  fetch(`${proxy.url}/api/imports?name=${name}`, {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/octet-stream' },
    body: body as string,
  })

/** Step 7: a file with these people. */
async function importPeople(proxy: Nginx, fellow: Caller, names: string[]) {
  const rows = names.map((name, index) => `${name},https://www.linkedin.com/in/person-${index},Met,7`)
  const uploaded = await upload(proxy, fellow, 'people.csv', ['Name,LinkedIn,Notes,Rating', ...rows].join('\n'))
  expect(uploaded.status).toBe(201)
  const { id } = (await uploaded.json()) as { id: string }
  const get = async () =>
    (await (await fellow.call(proxy, 'GET', `/imports/${id}`)).json()) as { state: string; counts: object }
  await timeUntil(async () => (await get()).state === 'ready', within(20_000), 'the file is read')
  expect((await fellow.call(proxy, 'POST', `/imports/${id}/run`)).status).toBe(202)
  await timeUntil(async () => (await get()).state === 'done', within(20_000), 'the file is imported')
  expect((await get()).counts).toMatchObject({ created: names.length, refused: 0 })
}

/** Searches for a person, and erases everything that is found. */
async function erase(proxy: Nginx, { call }: Caller, name: string) {
  const found = await call(proxy, 'POST', '/programme/privacy/search', { names: [name] })
  const hits = (await found.json()) as { ref: string; kind: string }[]
  expect(hits[0]?.kind).toBe('record')
  const refs = hits.map(({ ref }) => ref)
  const erased = await call(proxy, 'POST', '/programme/privacy/erase', { refs, reason: 'asked' })
  expect(erased.status).toBe(200)
  const again = await call(proxy, 'POST', '/programme/privacy/search', { names: [name] })
  expect(await again.json()).toEqual([])
}

const countIn = (status: string, name: string) => Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(status)?.[1])

describe.runIf(isLong)('The first day of a firm', { timeout: PATIENCE_MS }, () => {
  it('goes as docs/operations.md says, with its settings and its nginx.conf', async () => {
    const [cluster, mail] = [await openCluster(), await openMailServer()]
    onTestFinished(async () => {
      await mail.close()
      await cluster.stop()
    })
    const setup = await setUp(cluster, mail)
    const { folder, settings, proxy, command } = setup
    const { manager, fellows } = await gather(setup, mail)
    const [fellow, other] = fellows as [Caller, Caller]
    const people = ['Ada Okafor', ERASED, ...Array.from({ length: 28 }, (_, index) => `Person ${index}`)]
    await importPeople(proxy, fellow, people)

    // Step 8, with an erasure after the backup.
    const newest = () => (existsSync(settings.BACKUP_DIR) ? readdirSync(settings.BACKUP_DIR) : [])
    await timeUntil(() => newest().some((name) => name.endsWith('.backup')), within(20_000), 'the first backup')
    const backup = await command(['backup', 'day-one.backup'])
    expect([backup.code, backup.stderr]).toEqual([0, ''])
    await erase(proxy, manager, ERASED)
    const trial = { DATABASE_URL: await cluster.newDatabase(), DATA_DIR: join(folder, 'trial'), BACKUP_DIR: '' }
    const withoutLedger = await command(['restore', 'day-one.backup'], trial)
    expect([withoutLedger.code, withoutLedger.stderr]).toMatchObject([1, expect.stringContaining('ledger')])
    const ledger = join(settings.DATA_DIR, 'ledger.jsonl')
    const restored = await command(['restore', 'day-one.backup', '--ledger', ledger], trial)
    expect([restored.code, restored.stderr]).toEqual([0, ''])
    const [ours, theirs] = [await command(['status']), await command(['status'], trial)]
    for (const name of ['Accounts', 'Founders']) expect(countIn(theirs.stdout, name)).toBe(countIn(ours.stdout, name))
    expect([countIn(ours.stdout, 'Accounts'), countIn(ours.stdout, 'Founders')]).toEqual([
      INVITED + 1,
      people.length - 1,
    ])
    const onTrial = await start({ ...settings, ...trial, PORT: String(await freePort()) })
    const again = caller()
    await again.call(onTrial, 'GET', '/auth/me')
    await signIn(again, MANAGER, onTrial)
    expect(await (await again.call(onTrial, 'GET', '/founders?search=Quandrel')).json()).toEqual([])
    expect((await other.call(proxy, 'GET', '/auth/me')).status).toBe(200)
    printLine(`The first day: ${many(INVITED)} invited and signed up, ${people.length} imported, 1 erased, restored`)
  })

  it('is served by nginx as the documentation promises', async () => {
    const [cluster, mail] = [await openCluster(), await openMailServer()]
    onTestFinished(async () => {
      await mail.close()
      await cluster.stop()
    })
    const { proxy, command } = await setUp(cluster, mail)
    const plain = await fetch(`${proxy.plainUrl}/founders`, { redirect: 'manual' })
    expect([plain.status, plain.headers.get('location')]).toEqual([301, 'https://localhost/founders'])
    const page = await fetch(`${proxy.url}/`)
    expect(page.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')

    const invited = await command(['accounts', 'invite', MANAGER])
    const token = invited.stdout.split('#invitation=')[1]?.trim() ?? ''
    const fellow = await joinBy(token, MANAGER, proxy, mail)
    const signedIn = await signIn(fellow, MANAGER, proxy)
    const cookies = signedIn.headers.getSetCookie()
    const session = cookies.find((cookie) => cookie.startsWith('__Host-session='))
    for (const attribute of ['Secure', 'HttpOnly', 'Path=/']) expect(session).toContain(attribute)
    expect(cookies.filter((cookie) => !cookie.includes('Secure'))).toEqual([])

    // The live stream is not buffered: an event comes at once.
    const stream = await follow(proxy.url, fellow.headers())
    const added = await fellow.call(proxy, 'POST', '/founders', {
      ...{ name: 'Ada Okafor', linkedIn: 'https://www.linkedin.com/in/ada', notes: 'Met', rating: 7 },
    })
    const { id } = (await added.json()) as { id: string }
    await timeUntil(() => stream.ids.includes(id), within(2_000), 'the event')

    // The address of the caller is the one that nginx sees.
    const stranger = caller()
    await stranger.call(proxy, 'GET', '/auth/me')
    const headers = { ...stranger.headers(), 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' }
    const body = JSON.stringify({ email: MANAGER, password: 'not the password' })
    expect((await fetch(`${proxy.url}/api/auth/login`, { method: 'POST', headers, body })).status).toBe(401)
    const history = await command(['history', 'search', '--person', MANAGER])
    expect(history.stdout).toMatch(/127\.0\.0\.1 {2}refused login/)
    expect(history.stdout).not.toContain('203.0.113.9')

    // Files of 50 MB pass; a body that is too large gets the product's sentence.
    const row = `Person,,${'x'.repeat(490)},7\n`
    const file = Buffer.alloc(50_000_000, row).fill('Name,LinkedIn,Notes,Rating\n', 0, 27)
    const uploaded = await upload(proxy, fellow, 'large.csv', file)
    expect(uploaded.status).toBe(201)
    const { id: large } = (await uploaded.json()) as { id: string }
    expect((await fellow.call(proxy, 'DELETE', `/imports/${large}`)).status).toBe(204)
    const tooLarge = await fellow.call(proxy, 'POST', '/founders', { name: 'A', notes: 'x'.repeat(200_000) })
    expect([tooLarge.status, await tooLarge.json()]).toMatchObject([413, { error: expect.any(String) }])

    // On a phone: the home screen, and what is shared from other apps, which is in no log.
    const manifest = await fetch(`${proxy.url}/manifest.webmanifest`)
    expect(manifest.headers.get('content-type')).toContain('application/manifest+json')
    const { share_target: target, icons, display } = (await manifest.json()) as Manifest
    expect([target.action, target.method, display]).toEqual(['/share', 'GET', 'standalone'])
    for (const { src, type } of icons) {
      const icon = await fetch(`${proxy.url}${src}`)
      expect([src, icon.status, icon.headers.get('content-type')]).toEqual([src, 200, type])
    }
    expect(await page.text()).toContain('rel="manifest"')
    const shared = await fetch(`${proxy.url}/share?title=Planted+person&url=https://example.com/planted`)
    expect([shared.status, shared.headers.get('content-type')]).toMatchObject([
      200,
      expect.stringContaining('text/html'),
    ])
    expect(proxy.log()).toContain('/manifest.webmanifest')
    expect(proxy.log()).not.toMatch(/planted|#|token=/i)
  })

  it("goes on without a failed request while its two processes are restarted, nginx's 10 s apart", async () => {
    const [cluster, mail] = [await openCluster(), await openMailServer()]
    onTestFinished(async () => {
      await mail.close()
      await cluster.stop()
    })
    const { proxy, command, restart } = await setUp(cluster, mail, { STOP_GRACE_SECONDS: '2' })
    const invited = await command(['accounts', 'invite', MANAGER])
    const { call } = await joinBy(invited.stdout.split('#invitation=')[1]?.trim() ?? '', MANAGER, proxy, mail)
    let isOver = false
    const answers: number[] = []
    const work = async (hand: number) => {
      for (let sent = 0; !isOver; sent += 1) {
        const body = { name: `Works ${hand} ${sent}`, notes: 'Met', rating: 5 }
        const made = sent % 3 === 0 ? call(proxy, 'POST', '/companies', body) : call(proxy, 'GET', '/companies')
        const statusOf = async (answer: Response) => ((await answer.text()).length > 0 ? answer.status : 0)
        answers.push(await made.then(statusOf).catch(() => 0))
      }
    }
    const working = Promise.all([1, 2, 3, 4].map(work))
    await restart(0)
    await pause(11_000)
    await restart(1)
    await pause(1_000)
    isOver = true
    await working
    printLine(`Two processes behind nginx, each restarted: ${many(answers.length)} requests`)
    expect(answers.filter((status) => status !== 200 && status !== 201)).toEqual([])
  })
})

type Manifest = {
  share_target: { action: string; method: string }
  icons: { src: string; type: string }[]
  display: string
}
