import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeAccount, PASSWORD } from './test/factories.ts'
import { fellowOf } from './test/fellow.ts'
import { startTestApp, type TestApp } from './test/test-app.ts'
import { allow, makeToken } from './tokens/test/tokens.ts'

/** How a program makes the calls of its round with the client of each generator. */
const ROUNDS = {
  'openapi-fetch': `
import createClient from 'openapi-fetch'
import type { paths } from './types'
const clientOf = (baseUrl: string, token: string): Calls => {
  const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } })
  return {
    add: async (body) => (await client.POST('/api/founders', { body: { ...body, rating: 5 } })).data?.id,
    list: async (cursor) => {
      const query = { limit: 1, ...(cursor && { cursor }) }
      return (await client.GET('/api/founders', { params: { query } })).response.headers.get('link')
    },
    note: async (id, content) =>
      (await client.POST('/api/notes/founder/{id}', { params: { path: { id } }, body: { content } })).data?.note.content,
    correct: async (id, title) =>
      (await client.PATCH('/api/founders/{id}', { params: { path: { id } }, body: { title, version: 1 } })).data?.additionalInfo,
    remove: async (id) => (await client.DELETE('/api/founders/{id}', { params: { path: { id } } })).response.ok,
  }
}
`,
  'hey-api': `
import * as api from './client'
import { createClient } from './client/client'
const clientOf = (baseUrl: string, token: string): Calls => {
  const client = createClient({ baseUrl, auth: token })
  return {
    add: async (body) => (await api.createFounder({ client, body })).data?.id,
    list: async (cursor) =>
      (await api.listFounders({ client, query: { limit: 1, ...(cursor && { cursor }) } })).response?.headers.get('link') ?? null,
    note: async (id, content) => (await api.createFounderNote({ client, path: { id }, body: { content } })).data?.note.content,
    correct: async (id, title) =>
      (await api.correctFounder({ client, path: { id }, body: { title, version: 1 } })).data?.additionalInfo,
    remove: async (id) => (await api.deleteFounder({ client, path: { id } })).response?.ok === true,
  }
}
`,
  'swagger-typescript-api': `
import { Api } from './api'
const clientOf = (baseUrl: string, token: string): Calls => {
  const { api } = new Api<string>({
    baseUrl,
    baseApiParams: { secure: true, format: 'json' },
    securityWorker: () => ({ headers: { authorization: \`Bearer \${token}\` } }),
  })
  return {
    add: async (body) => (await api.createFounder(body, {})).data.id,
    list: async (cursor) => (await api.listFounders({ limit: 1, ...(cursor && { cursor }) })).headers.get('link'),
    note: async (id, content) => (await api.createFounderNote(id, { content }, {})).data.note.content,
    correct: async (id, title) => (await api.correctFounder(id, { title, version: 1 })).data.additionalInfo,
    remove: async (id) => (await api.deleteFounder(id)).ok,
  }
}
`,
}

/** The same round for all. */
const ROUND = `
type Calls = {
  add: (body: { name: string; linkedIn: string; notes: string }) => Promise<string | undefined>
  list: (cursor: string | undefined) => Promise<string | null>
  note: (id: string, content: string) => Promise<string | undefined>
  correct: (id: string, title: string) => Promise<string | null | undefined>
  remove: (id: string) => Promise<boolean>
}

export async function round(baseUrl: string, token: string, name: string) {
  const { add, list, note, correct, remove } = clientOf(baseUrl, token)
  const ids: string[] = []
  for (const number of [1, 2, 3]) {
    const linkedIn = \`https://www.linkedin.com/in/\${name}-\${number}\`
    ids.push(await add({ name: \`\${name} \${number}\`, linkedIn, notes: 'Met at demo day' }) ?? '')
  }
  let pages = 0
  for (let cursor: string | undefined; pages < 3 && (pages === 0 || cursor); pages += 1) {
    const next = /<([^>]+)>; rel="next"/.exec(await list(cursor) ?? '')?.[1]
    cursor = next && (new URL(next, baseUrl).searchParams.get('cursor') ?? undefined)
  }
  const [id = ''] = ids
  const content = await note(id, 'By a program')
  const { current_title: title } = JSON.parse(await correct(id, 'CTO') ?? '{}')
  return { pages, note: content, title, deleted: await remove(id) }
}
`

// What a stranger can do with the API document and nothing else.

const folder = mkdtempSync(join(tmpdir(), 'sourcebook-clients-'))
const file = join(folder, 'openapi.json')

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
  writeFileSync(file, (await test.visitor().get('/api/openapi.json')).text)
})
afterAll(async () => {
  await test.close()
  rmSync(folder, { recursive: true })
})

/** Runs a tool of a package, and returns what it prints. */
function runTool(path: string, args: string[], options = ''): string {
  const tool = spawnSync(process.execPath, [resolve('node_modules', path), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: options, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  expect([tool.status, tool.status === 0 ? '' : `${tool.stdout}${tool.stderr}`]).toEqual([0, ''])
  return tool.stdout
}

// An address, because a path may contain a space.
const onTypeScript6 = `--import ${pathToFileURL('server/test/typescript-6.mjs')}`

/** Compiles everything in the folder strictly. */
function compile() {
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: 'es2024', module: 'esnext', moduleResolution: 'bundler', types: [] },
    lib: ['es2024', 'dom', 'dom.iterable'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }))
  runTool('typescript/bin/tsc', ['-p', folder])
}

describe('The API document', () => {
  it('has a name for every shape of the contract', async () => {
    const modules = globSync('contract/*.ts').filter((path) => !path.endsWith('.test.ts'))
    const shapes = (await Promise.all(modules.map((path) => import(resolve(path))))).flatMap(Object.entries)
    const named = shapes.filter(([name, shape]) => shape instanceof z.ZodType && /^[A-Z]/.test(name))
    const ofCalls = named.filter(([name]) => !/(Query|Params|Headers)$/.test(name))
    expect(ofCalls.length).toBeGreaterThan(120)
    const nameless = ofCalls.filter(([, shape]) => z.globalRegistry.get(shape)?.id === undefined)
    expect(nameless.map(([name]) => name)).toEqual([])
  })

  it('breaks none of the recommended rules of its linter', { tags: 'slow' }, () => {
    const { totals, problems } = JSON.parse(runTool('@redocly/cli/bin/cli.js', ['lint', file, '--format', 'json']))
    expect([problems, totals]).toEqual([[], { errors: 0, warnings: 0, ignored: 0 }])
  })

  // Two compilers take a minute where others keep both cores busy.
  it('gives clients by openapi-typescript, @hey-api/openapi-ts and swagger-typescript-api that compile under strict TypeScript', {
    tags: 'slow',
    timeout: 180_000,
  }, () => {
    runTool('openapi-typescript/bin/cli.js', [file, '-o', 'types.ts'], onTypeScript6)
    writeFileSync(
      join(folder, 'use-types.ts'),
      `import type { components, operations, paths } from './types'
      export const add: paths['/api/founders']['post'] = {} as operations['createFounder']
      export const name = (founder: components['schemas']['Founder']): string => founder.name
      export const code: 'forgery' extends NonNullable<components['schemas']['Failure']['code']> ? true : false = true`,
    )
    const args = ['-i', file, '-o', join(folder, 'client'), '-c', '@hey-api/client-fetch', '--no-log-file']
    runTool('@hey-api/openapi-ts/bin/run.js', args, onTypeScript6)
    runTool(
      'swagger-typescript-api/dist/cli.mjs',
      ['generate', '-p', file, '-o', folder, '-n', 'api.ts'],
      onTypeScript6,
    )
    // The programs import the one library that a generator leaves to them.
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'use-client.ts'), PROGRAM)
    for (const [name, program] of Object.entries(ROUNDS))
      writeFileSync(join(folder, `round-${name}.ts`), program + ROUND)
    compile()
  })

  it('gives a client that signs in, adds, lists, notes and pages', { tags: 'slow' }, async () => {
    await test.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = test.app.server.address() as AddressInfo
    const { email, name } = await makeAccount(test.db)
    const { useClient } = await import(/* @vite-ignore */ join(folder, 'use-client.ts'))
    expect(await useClient(`http://127.0.0.1:${port}`, email, PASSWORD)).toEqual({
      user: { name, email },
      failure: [400, 'Notes are required'],
      notes: [['Call her back', name]],
      pages: [['Cleo', 'Ben'], ['Ada']],
    })
  })
})

describe('A program with a token', () => {
  it.each(Object.keys(ROUNDS))(
    'does the same round with the client by %s: three pages of a list, a note, a correction, a deletion',
    { tags: 'slow' },
    async (name) => {
      const { port } = test.app.server.address() as AddressInfo
      await fellowOf(test, { role: 'manager' })
      await allow(test, 'all')
      const { client } = await fellowOf(test)
      const { token } = await makeToken(test, client, ['read', 'write'])
      const { round } = await import(/* @vite-ignore */ join(folder, `round-${name}.ts`))
      expect(await round(`http://127.0.0.1:${port}`, token, name)).toEqual({
        pages: 3,
        note: 'By a program',
        title: 'CTO',
        deleted: true,
      })
    },
  )
})

/** The client of a stranger, who has read the description of the security schemes. */
const PROGRAM = `
import * as api from './client'
import { client } from './client/client.gen'

export async function useClient(baseUrl: string, email: string, password: string) {
  const cookies = new Map<string, string>()
  client.setConfig({ baseUrl })
  client.interceptors.request.use((request) => {
    request.headers.set('cookie', [...cookies].map(([name, value]) => \`\${name}=\${value}\`).join('; '))
    request.headers.set('x-xsrf-token', cookies.get('XSRF-TOKEN') ?? '')
    return request
  })
  client.interceptors.response.use((response) => {
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (name !== undefined && value !== undefined) cookies.set(name, value)
    }
    return response
  })
  const done = <Data>({ data, error }: { data?: Data; error?: unknown }): NonNullable<Data> => {
    if (data === undefined || data === null) throw new Error(JSON.stringify(error))
    return data
  }

  await api.getCurrentUser()
  const signedIn = done(await api.loginUser({ body: { email, password } }))
  if ('action' in signedIn) throw new Error(signedIn.action)

  const add = async (name: string): Promise<string> => {
    const linkedIn = \`https://linkedin.com/in/\${name}\`
    const headers = { 'idempotency-key': name }
    return done(await api.createFounder({ body: { name, linkedIn, notes: 'Met at demo day' }, headers })).id
  }
  const id = await add('Ada')
  await add('Ben')
  await add('Cleo')
  const refused = await api.createFounder({ body: { name: 'Dan', linkedIn: 'https://linkedin.com/in/dan', notes: '' } })
  await api.createFounderNote({ path: { id }, body: { content: 'Call her back' } })
  const { notes } = done(await api.listFounderNotes({ path: { id } }))

  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const page = await api.listFounders({ query: { limit: 2, ...(cursor && { cursor }) } })
    pages.push(done(page).map(({ name }) => name))
    const next = /<([^>]+)>; rel="next"/.exec(page.response?.headers.get('link') ?? '')?.[1]
    cursor = next && new URL(next, baseUrl).searchParams.get('cursor') || undefined
  } while (cursor)
  return {
    user: signedIn.user,
    failure: [refused.response?.status, refused.error && 'error' in refused.error && refused.error.error],
    notes: notes.map(({ content, author }) => [content, author]),
    pages,
  }
}
`
