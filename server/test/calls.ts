import type { Database } from '#server/db/database.ts'
import { changePipelines } from '#server/records/write/write.ts'
import {
  type makeAccount,
  makeCompany,
  makeFounder,
  makeImport,
  makeNote,
  makeWatchedSearch,
  PASSWORD,
} from './factories.ts'
import type { TestClient } from './test-app.ts'

/** What the API document says of a call. */
type Operation = {
  operationId?: string
  summary?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: { in: string; name: string }[]
  requestBody?: { content: { 'application/json'?: { schema: Shape } } }
  responses: Record<string, { description: string; content?: object }>
}
type Shape = { $ref?: string; properties?: object }

/** One call of the API, from its own description. */
export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  bodyFields: string[]
  operation: Operation
}

/** The calls for people who are not signed in. All others require a session. */
const PUBLIC = [
  'GET /api/auth/me',
  'POST /api/auth/check-user',
  'POST /api/auth/login',
  'POST /api/auth/logout',
  'POST /api/auth/register',
  'POST /api/auth/reset',
  'POST /api/auth/reset/confirm',
  'POST /api/auth/smart-auth',
  'POST /api/auth/two-factor',
  'POST /api/auth/verify',
  'POST /api/auth/verify/resend',
]
export const isPublic = ({ method, path }: Call) => PUBLIC.includes(`${method} ${path}`)

export const isChange = ({ method }: Call) => method !== 'GET'

/** The required query of a call. */
const QUERIES: Record<string, string> = {
  'GET /api/duplicates': '?kind=founder',
  'GET /api/pipeline': '?kind=founder',
  'POST /api/imports': '?name=people.csv',
  'GET /api/founders/similar': '?name=Ada',
  'GET /api/companies/similar': '?name=Acme',
  'GET /api/companies/values': '?of=industry',
}

/** The call with the ids of this record and note. */
export const addressOf = ({ method, path }: Call, id: string, noteId = id) =>
  `${path
    .replace(/\{(id|recordId)\}/, id)
    .replace('{noteId}', noteId)
    .replace('{key}', 'founders')
    .replace('{week}', '2026-W48')
    .replace('{mark}', 'read')}${QUERIES[`${method} ${path}`] ?? ''}`

/** Every call, so that the tests of all calls include future ones. */
export async function everyCall(client: TestClient): Promise<Call[]> {
  const { body } = await client.get('/api/openapi.json')
  const named = ({ $ref, ...shape }: Shape): Shape =>
    $ref === undefined ? shape : body.components.schemas[$ref.replace('#/components/schemas/', '')]
  return Object.entries(body.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { properties = {} } = named(operation.requestBody?.content['application/json']?.schema ?? {})
      return { method: method.toUpperCase() as Call['method'], path, bodyFields: Object.keys(properties), operation }
    }),
  )
}

/** Whether the id of the call is that of a company. */
export const isOfCompany = ({ path }: Call) => /^\/api\/(notes\/)?compan/.test(path)

/** A founder and a company of this fellow, with a note on each, as targets of every call. */
export async function makeWorld(db: Database, account: Awaited<ReturnType<typeof makeAccount>>) {
  const founder = await makeFounder(db, { creator: account })
  const company = await makeCompany(db, { creator: account })
  const nextStep = { nextStep: 'Call', nextOn: '2030-01-01' }
  await changePipelines(db, { name: 'founder' }, [founder.id], nextStep)
  await changePipelines(db, { name: 'company' }, [company.id], nextStep)
  const founderNote = await makeNote(db, { founder: founder.id, author: account })
  const companyNote = await makeNote(db, { company: company.id, author: account })
  const ofAccount = await makeImport(db, { importer: account })
  const search = await makeWatchedSearch(db, account)
  const about = (call: Call) => {
    if (call.path.startsWith('/api/imports')) return addressOf(call, ofAccount.id)
    if (call.path.startsWith('/api/searches')) return addressOf(call, search.id)
    return isOfCompany(call)
      ? addressOf(call, company.id, companyNote.id)
      : addressOf(call, founder.id, founderNote.id).replace('{companyId}', company.id)
  }
  return { founder, company, about }
}

const ID = '01900000-0000-7000-8000-000000000001'
/** Valid for every call: each reads its own fields. */
export const BODY = {
  ...{ name: 'A', notes: 'n', content: 'c', rating: 5, linkedIn: 'https://linkedin.com/in/a', code: '123456' },
  ...{
    email: 'a@mit.edu',
    password: PASSWORD,
    currentPassword: PASSWORD,
    newPassword: PASSWORD,
    token: 'x'.repeat(43),
  },
  ...{ a: ID, b: ID.replace(/1$/, '2'), survivorId: ID, duplicateId: ID.replace(/1$/, '2') },
  ...{
    versions: { [ID]: 1, [ID.replace(/1$/, '2')]: 1 },
    take: {},
    rows: 'all',
    version: 1,
    mode: 'open',
    domains: [],
  },
  ...{ names: ['A'], refs: ['x'], reason: 'asked', ids: [ID], isInformed: true, until: '2026-01-01T00:00:00.000Z' },
  ...{ tags: [], set: { stage: null }, kind: 'founder', query: '', isWatched: true },
  ...{ tags: [], set: { stage: null }, fellows: [ID], state: 'none' },
  ...{ when: 'off', hour: 8, timeZone: 'UTC', isPaused: false, showsNames: true },
  ...{ scopes: ['read'], days: 30, allowed: 'none', assistant: false },
  ...{ searches: [], address: 'https://hooks.slack.com/services/x' },
}

/** Bodies with other values than `BODY`. */
const BODIES: Record<string, object> = {
  'PUT /api/records/{id}/pipeline': { reason: { id: ID }, version: 0 },
  'PUT /api/passing-reasons': [{ name: 'A' }],
  'POST /api/programme/channels': { kind: 'slack' },
  'PATCH /api/programme/webhooks/{id}': { isConfirmed: true },
}

export const bodyOf = ({ method, path }: Call): object => {
  const own = BODIES[`${method} ${path}`]
  return Array.isArray(own) ? own : { ...BODY, ...own }
}
