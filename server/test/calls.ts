import type { TestClient } from './test-app.ts'

/** One call of the API, from its own description. */
export type Call = { method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: string; bodyFields: string[] }

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
  'POST /api/imports': '?name=people.csv',
  'GET /api/founders/similar': '?name=Ada',
  'GET /api/companies/similar': '?name=Acme',
}

/** The call with the ids of this record and note. */
export const addressOf = ({ method, path }: Call, id: string, noteId = id) =>
  `${path.replace('{id}', id).replace('{noteId}', noteId)}${QUERIES[`${method} ${path}`] ?? ''}`

type Described = {
  requestBody?: { content: { 'application/json'?: { schema: { properties?: Record<string, { type?: string }> } } } }
}

/** Every call, so that the tests of all calls include future ones. */
export async function everyCall(client: TestClient): Promise<Call[]> {
  const { body } = await client.get('/api/openapi.json')
  return Object.entries(body.paths as Record<string, Record<string, Described>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => {
      const properties = requestBody?.content['application/json']?.schema.properties ?? {}
      return { method: method.toUpperCase() as Call['method'], path, bodyFields: Object.keys(properties) }
    }),
  )
}
