import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fellowOf } from '#server/test/fellow.ts'
import { freePort } from '#server/test/postgres-server.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { allow, makeToken } from '#server/tokens/test/tokens.ts'

// The conformance suite of the protocol at the door. It is 50 MB and changes often, so it is installed outside of the repository.

/** The tools of the suite stand beside ours, so that its calls go through the same door. */
vi.mock('@modelcontextprotocol/server', async (original) => {
  const library = await original<typeof import('@modelcontextprotocol/server')>()
  const { registerSuiteTools } = await import('./test/suite-tools.ts')
  class McpServer extends library.McpServer {
    constructor(...[about, options]: ConstructorParameters<typeof library.McpServer>) {
      super(about, { ...options, capabilities: { ...options?.capabilities, logging: {} } })
      registerSuiteTools(this)
    }
  }
  return { ...library, McpServer }
})
// The suite calls more often than a token may.
vi.mock('#contract/limits.ts', async (original) => ({ ...(await original<object>()), TOKEN_CALLS_MAX: 100_000 }))

const FOLDER = '/tmp/mcp-conformance'
const SUITE = join(FOLDER, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const INSTALL = `npm install --prefix ${FOLDER} --ignore-scripts @modelcontextprotocol/conformance@0.2.0-alpha.12`

let test: TestApp
let url: URL
beforeAll(async () => {
  if (!existsSync(SUITE)) throw new Error(`This needs the conformance suite: ${INSTALL}`)
  const port = await freePort()
  test = await startTestApp({ PUBLIC_URL: `http://localhost:${port}` })
  url = new URL('/mcp', `http://localhost:${port}`)
  await fellowOf(test, { role: 'manager' })
  await allow(test, 'all', true)
  const { token } = await makeToken(test, (await fellowOf(test)).client, ['read'])
  // The suite has no option for a header.
  test.app.server.prependListener('request', ({ headers }) => {
    headers.authorization ??= `Bearer ${token}`
  })
  await test.app.listen({ port, host: '127.0.0.1' })
})
afterAll(() => test?.close())

/** The checks of a scenario by what became of them. */
async function run(scenario: string, revision: string) {
  const words = ['server', '--url', url.href, '--scenario', scenario, '--spec-version', revision, '--timeout', '5000']
  const { stdout } = await promisify(execFile)(process.execPath, [SUITE, ...words]).catch((failed) => failed)
  const checks = [...stripVTControlCharacters(stdout).matchAll(/^\S+Z \[(\S+) *\] (SUCCESS|FAILURE|WARNING)/gm)]
  const having = (...results: string[]) => checks.filter(([, , one = '']) => results.includes(one)).map(([, id]) => id)
  return { green: having('SUCCESS'), red: having('FAILURE', 'WARNING'), stdout }
}

const OF_BOTH = [
  ...['tools-list', 'tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource'],
  ...['tools-call-mixed-content', 'tools-call-error', 'tools-call-with-progress', 'json-schema-2020-12'],
  'dns-rebinding-protection',
]

describe.each([
  ['2025-11-25', [...OF_BOTH, 'server-initialize', 'ping', 'logging-set-level', 'tools-call-with-logging']],
  [
    '2026-07-28',
    [
      ...OF_BOTH,
      ...['server-stateless', 'server-sse-multiple-streams', 'http-header-validation'],
      'http-custom-header-server-validation',
      ...['basic-elicitation', 'basic-sampling', 'missing-input-response', 'result-type', 'unsupported-methods'].map(
        (name) => `input-required-result-${name}`,
      ),
      ...['ignore-extra-params', 'validate-input'].map((name) => `input-required-result-${name}`),
    ],
  ],
])('In revision %s the door is green in', (revision, scenarios) => {
  it.each(scenarios)('%s', async (scenario) => {
    const { green, red, stdout } = await run(scenario, revision)
    expect([red, green.length > 0], stdout).toEqual([[], true])
  })
})

describe('By design the door has', () => {
  it.each([
    ['no request of its own to a client of 2025', '2025-11-25', 'tools-call-sampling', ['scenario-timeout']],
    ['no session in which a client answers', '2025-11-25', 'tools-call-elicitation', ['tools-call-elicitation']],
    [
      ...(['no prompts and resources', '2026-07-28', 'caching'] as const),
      ['prompts-list', 'resources-list', 'resources-templates-list'].map((list) => `sep-2549-${list}-caching-hints`),
    ],
  ])('%s (%s, %s)', async (_what, revision, scenario, checks) => {
    const { red, stdout } = await run(scenario, revision)
    expect(red, stdout).toEqual(checks)
  })
})
