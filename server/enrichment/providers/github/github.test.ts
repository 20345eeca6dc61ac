import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { FounderEnrichment } from '#contract/founder.ts'
import type { CompanySubject, FounderSubject } from '#server/enrichment/provider.ts'
import { type ServedReply, startProviderServer } from '#server/enrichment/test/provider-server.ts'
import { Profile } from './client.ts'
import organisation from './fixtures/organisation.json' with { type: 'json' }
import user from './fixtures/user.json' with { type: 'json' }
import { github } from './github.ts'
import { toFounder } from './to-founder.ts'

const jane: FounderSubject = { name: 'Jane Doe', linkedIn: null, company: null, github: 'janedoe' }
const orchard: CompanySubject = {
  ...{ name: 'Orchard', domain: 'orchard.example', website: null },
  ...{ linkedIn: null, github: 'orchard' },
}
const nothing = { kind: 'not-found' }

async function createGitHub(reply?: ServedReply, key = '') {
  const server = await startProviderServer()
  onTestFinished(server.close)
  if (reply) server.on(() => true, reply)
  const guardedClient = { get: () => Promise.reject(new Error('Not to be asked')) }
  const contact = 'https://sourcebook.example.com'
  const provider = github.create({ baseUrl: server.url, key, contact, guardedClient })
  return {
    server,
    askFounder: (subject: Partial<FounderSubject> = {}, patienceMs = 5000) =>
      provider.askFounder?.({ ...jane, ...subject })?.(AbortSignal.timeout(patienceMs)),
    askCompany: (subject: Partial<CompanySubject> = {}, patienceMs = 5000) =>
      provider.askCompany?.({ ...orchard, ...subject })?.(AbortSignal.timeout(patienceMs)),
  }
}

describe('GitHub, for a founder', () => {
  it('finds the data of their profile', async () => {
    const { server, askFounder } = await createGitHub({ json: user })
    expect(await askFounder()).toEqual({
      kind: 'found',
      findings: {
        profile_picture_url: 'https://avatars.githubusercontent.com/u/583231?v=4',
        current_company: 'orchard',
        bio: 'Tools for orchards',
        email: 'jane@orchard.example',
        website: 'https://jane.example',
      },
    })
    expect(server.requests).toMatchObject([{ method: 'GET', path: '/users/janedoe', query: {} }])
    expect(server.requests[0]?.headers).toMatchObject({
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      'user-agent': expect.stringMatching(/^Sourcebook\/\S+ \(https:\/\/sourcebook\.example\.com; /),
    })
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  it('sends a configured key', async () => {
    const { server, askFounder } = await createGitHub({ json: user }, 'a-key')
    await askFounder()
    expect(server.requests[0]?.headers.authorization).toBe('Bearer a-key')
  })

  it('cannot look up a founder without a login', async () => {
    const { server, askFounder } = await createGitHub({ json: user })
    expect(await askFounder({ github: null })).toBeUndefined()
    expect(server.requests).toEqual([])
  })

  it.each([
    ['an organisation', { ...user, type: 'Organization' }],
    ['a person with another name', { ...user, name: 'Linus Example' }],
    ['a profile without details', {}],
  ])('finds nothing in a profile of %s', async (_, json) => {
    expect(await (await createGitHub({ json })).askFounder()).toEqual(nothing)
  })

  it.each([
    ['with an accent', 'Jané DOE'],
    ['with one name in common', 'J. Doe'],
    ['with no name', null],
  ])('accepts a profile %s as theirs', async (_, name) => {
    expect(await (await createGitHub({ json: { ...user, name } })).askFounder()).toMatchObject({ kind: 'found' })
  })

  it('finds nothing for an unknown login', async () => {
    const { askFounder } = await createGitHub({ status: 404, json: { message: 'Not Found' } })
    expect(await askFounder()).toEqual(nothing)
  })

  it('leaves out only empty fields and fields of the wrong type', async () => {
    const json = { ...user, avatar_url: 7, company: '', blog: null, email: ['x'], name: { first: 'Jane' } }
    const { askFounder } = await createGitHub({ json })
    expect(await askFounder()).toEqual({ kind: 'found', findings: { bio: 'Tools for orchards' } })
  })

  it('returns values that the contract accepts', () => {
    const findings = toFounder(Profile.parse(user))
    expect(z.strictObject(FounderEnrichment.shape).parse(findings)).toEqual(findings)
  })
})

describe('GitHub, for a company', () => {
  it('finds the data of its profile', async () => {
    const { server, askCompany } = await createGitHub({ json: organisation })
    expect(await askCompany()).toEqual({
      kind: 'found',
      findings: {
        headquarters: { address_formatted: 'San Francisco, CA' },
        description: 'Software that counts apples.',
        website: 'https://www.orchard.example',
      },
    })
    expect(server.requests).toMatchObject([{ path: '/orgs/orchard' }])
  })

  it.each<[string, object, Partial<CompanySubject>]>([
    ['another company of the same name', { blog: 'https://orchard-music.example' }, {}],
    ['a project that the company only uses', { login: 'react', name: 'React', blog: '' }, {}],
    ['another name, when its domain is not known', { login: 'x', name: 'Xylophone' }, { domain: null }],
  ])('finds nothing in a profile of %s', async (_, profile, subject) => {
    const { askCompany } = await createGitHub({ json: { ...organisation, ...profile } })
    expect(await askCompany(subject)).toEqual(nothing)
  })

  it.each<[string, object, Partial<CompanySubject>]>([
    ['its domain, whatever the name', { login: 'x', name: 'Xylophone', blog: 'orchard.example/code' }, {}],
    ['its name, when it shows no domain', { blog: 'https://x.com/orchard' }, { name: 'Orchard Robotics' }],
    ['its login, when its domain is not known', { name: null }, { domain: null, name: 'ORCHARD' }],
  ])('finds a company by %s', async (_, profile, subject) => {
    const { askCompany } = await createGitHub({ json: { ...organisation, ...profile } })
    expect(await askCompany(subject)).toMatchObject({ kind: 'found' })
  })

  it('cannot look up a company without a login', async () => {
    const { server, askCompany } = await createGitHub({ json: organisation })
    expect(await askCompany({ github: null })).toBeUndefined()
    expect(server.requests).toEqual([])
  })
})

describe('A failure of GitHub', () => {
  const rateLimited = { kind: 'failed', reason: 'rate_limited', isRetryable: true }

  it.each([403, 429])('waits until the limit is reset: %s', async (status) => {
    const reset = String(Math.round(Date.now() / 1000) + 90)
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }
    const { askFounder } = await createGitHub({ status, headers, json: {} }, 'a-key')
    const outcome = await askFounder()
    expect(outcome).toMatchObject(rateLimited)
    expect(outcome).toHaveProperty('retryAfterSeconds', expect.closeTo(89, -1))
  })

  it('waits as long as the response says', async () => {
    const { askCompany } = await createGitHub({ status: 403, headers: { 'retry-after': '30' }, json: {} }, 'a-key')
    expect(await askCompany()).toMatchObject({ ...rateLimited, retryAfterSeconds: 30 })
  })

  it('waits after a refused request without a key', async () => {
    expect(await (await createGitHub({ status: 403, json: {} })).askFounder()).toMatchObject(rateLimited)
  })

  it.each([401, 403])('reports that the key was refused: %s', async (status) => {
    const { askFounder } = await createGitHub({ status, json: {} }, 'a-key')
    expect(await askFounder()).toMatchObject({ kind: 'failed', reason: 'auth', isRetryable: false })
  })

  it.each<[string, ServedReply]>([
    ['it has a fault', { status: 502, body: '<h1>Unicorn</h1>' }],
    ['its answer is broken', { body: '{"login":' }],
    ['its answer is no profile', { json: [user] }],
    ['it is too slow', { delayMs: 60_000, json: user }],
  ])('can be retried when %s', async (_, reply) => {
    const { askFounder } = await createGitHub(reply)
    expect(await askFounder({}, 300)).toMatchObject({ kind: 'failed', reason: 'unavailable', isRetryable: true })
  })
})
