import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeAccount, PASSWORD } from './test/factories.ts'
import { startTestApp, type TestApp } from './test/test-app.ts'

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
  it('gives types by openapi-typescript, and a client by @hey-api/openapi-ts, that compile', {
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
    writeFileSync(join(folder, 'use-client.ts'), PROGRAM)
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
