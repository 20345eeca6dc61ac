import { STATUS_CODES } from 'node:http'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import * as contract from '#contract/all.ts'
import { Failure } from '#contract/errors.ts'
import { kinds } from '#contract/kinds.ts'
import { featureShapes } from '#contract/record-features.ts'
import { TOKEN_PREFIX } from '#contract/token-scopes.ts'
import { CSRF_COOKIE, CSRF_HEADER } from './auth/sessions/csrf.ts'
import { scopeOf } from './auth/tokens/scopes.ts'
import type { App } from './http/app.ts'
import { type AppError, MergedAway } from './http/errors.ts'
import { recordFeatures } from './record-features.ts'

// `GET /api/openapi.json`, which is built on its first request, from the heads of all routes.

const DESCRIPTION = `All calls take and return JSON, except uploads, exports, pictures and the live stream.

**Sign in.** \`GET /api/auth/me\` with \`Prefer: handling=lenient\` sets the cookies of a visitor. Send all cookies back
with every request. Send the value of the cookie \`${CSRF_COOKIE}\` in the header \`${CSRF_HEADER}\` with every change.
\`POST /api/auth/login\` then replaces the cookies by those of a session, the token among them.

**Or by an access token**, in the header \`Authorization: Bearer sbk_…\`, where a call names its scope.

**A page belongs to an account.** A client may send the \`account\` of \`GET /api/auth/me\` in the header
\`X-Account\`. A call with the session of another account then gets 409 \`other_account\`, and nothing is done. Calls
under \`/api/auth\` do not read it.

**Failures** have one sentence for a person, and a \`code\` where a program has to tell them apart. Requests that are
not valid HTTP get 400, 408 or 431 in the same shape, before any call. Every response has \`x-request-id\`, the name of
the request in the log of the server.

**Lists** are returned in pages. While the header \`link\` names a next page, there are more.`

const tags = [
  { name: 'Sign-in', description: 'Sign-up, sign-in and sign-out, and the links of emails.' },
  { name: 'Account', description: "The caller's own account, its sessions and its second factor." },
  ...kinds.map(({ plural }) => ({ name: plural, description: `${plural}, their public data and their history.` })),
  ...recordFeatures.map(({ heading }) => heading),
  { name: 'Searches', description: 'Lists under a name, of a fellow or shared, and what is new in them.' },
  { name: 'Figures', description: 'Numbers about the programme, and about the records of the caller.' },
  { name: 'Feed', description: 'What was done to records and notes, for programs that keep up with it.' },
  { name: 'Duplicates', description: 'Pairs that may be one record, merges, and recent changes of several records.' },
  { name: 'Imports', description: 'Files of records: uploaded, previewed, run and reverted.' },
  { name: 'Programme', description: 'What managers run: people, invitations, sign-up and privacy.' },
  { name: 'Overview', description: 'The dashboard, and the live stream of changes.' },
]

const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session',
    description: 'Set by a sign-in. Over https its name is `__Host-session`.',
  },
  antiForgery: {
    type: 'apiKey',
    in: 'header',
    name: CSRF_HEADER,
    description: `The value of the cookie \`${CSRF_COOKIE}\`, which responses set. It belongs to the session, or before a sign-in to the cookie \`pre-session\` (over https \`__Host-pre-session\`), so send these back too. A sign-in and a sign-out replace it. On a 403 with the code \`forgery\`, call \`GET /api/auth/me\` and repeat the request once.`,
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: `${TOKEN_PREFIX}…`,
    description:
      'An access token, which its owner makes on the account page, with the rights of a fellow. A call names the scope that it needs: `read`, which each token has, `export` or `write`. No token may make a call that does not name one. Without cookies, and without an anti-forgery token.',
  },
} as const

/** Parts of a URL or of the headers. They are parameters of their call in the document, and have no shape of their own. */
const isParameters = (name: string) => /(Query|Params|Headers)$/.test(name)

// Each exported shape of the contract has the name of its export. The library adds `Input` to the name of a shape in a
// request. The dot keeps such names apart from exported ones, such as `FounderInput`, until `nameShapes`.
for (const [name, shape] of Object.entries({ ...contract, ...featureShapes })) {
  if (!(shape instanceof z.ZodType) || !/^[A-Z]/.test(name) || isParameters(name)) continue
  z.globalRegistry.add(shape, { ...z.globalRegistry.get(shape), id: `${name}.` })
}

type JsonSchema = Partial<
  Record<'additionalProperties' | 'format' | 'minimum' | 'maximum' | 'pattern' | 'type', unknown>
>

const zodToJsonConfig = {
  override: ({ jsonSchema }: { jsonSchema: JsonSchema }) => {
    // Objects may get further fields, so a client must not refuse those that it does not know.
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    // A format or a type says the same in one word, and every integer is safe.
    if (jsonSchema.format === 'uuid' || jsonSchema.format === 'date-time') delete jsonSchema.pattern
    if (jsonSchema.type === 'integer') delete jsonSchema.pattern
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  },
}

const PAGE_HEADERS = {
  link: { type: 'string', description: 'While there are more: `</api/…?cursor=…>; rel="next"`' },
  'x-total-count': { type: 'string', description: 'The length of the whole list, where it is counted' },
}
const MOVED_HEADERS = { location: { type: 'string', description: 'The same call on the other record' } }
const RETRY_HEADERS = { 'retry-after': { type: 'string', description: 'Seconds until a repeat may succeed' } }
const INVALID = '- `fields` has a sentence for each field or parameter that is not valid'
const FAULT = 'The server or its database is in trouble. `requestId` names the request in the log.'

/** The responses to what a call refuses. A read of a merged record is redirected, and anything else is refused. */
function refusedResponses(refusals: AppError[], answers: Record<string, unknown>, isRead: boolean) {
  const responses: Record<string, unknown> = {}
  const statusOf = (refusal: AppError) => (isRead && refusal instanceof MergedAway ? 308 : refusal.status)
  for (const [status, ofStatus] of Map.groupBy(refusals, statusOf)) {
    const sentences = ofStatus.map(({ answer }) => (answer.code ? `\`${answer.code}\`: ${answer.error}` : answer.error))
    const lines = [...new Set(sentences)].map((sentence) => `- ${sentence}`)
    const description = [...lines, ...(status === 400 ? [INVALID] : [])].join('\n')
    const schema = answers[status] ?? Failure
    responses[status] = status < 400 ? z.null().describe(description) : { description, ...asJson(schema) }
  }
  return { ...responses, '5xx': { description: FAULT, ...asJson(Failure) } }
}

const asJson = (schema: unknown) => ({ content: { 'application/json': { schema } } })

type Response = { description?: string | undefined; 'x-response-description'?: string | undefined; headers?: object }

const transform: FastifyDynamicSwaggerOptions['transform'] = ({ schema, route, ...document }) => {
  const { refusals = [], isPaged } = route.config ?? {}
  const answers = (schema?.response ?? {}) as Record<string, unknown>
  const response = { ...answers, ...refusedResponses(refusals, answers, route.method === 'GET') }
  const scope = scopeOf(route.config)
  const byToken = scope === 'none' ? [] : [{ token: [scope] }]
  const security = [...(schema?.security ?? []), ...byToken]
  const described = toJsonSchema({ schema: { ...schema, security, response }, route, ...document })
  for (const [status, one] of Object.entries((described.schema.response ?? {}) as Record<string, Response>)) {
    one['$ref' in one ? 'description' : 'x-response-description'] ??= one.description ?? STATUS_CODES[status]
    if (status === '200' && isPaged) one.headers = PAGE_HEADERS
    if (status === '308') one.headers = MOVED_HEADERS
    if (status === '429') one.headers = RETRY_HEADERS
  }
  return described
}
const toJsonSchema = createJsonSchemaTransform({ zodToJsonConfig })
const addShapes = createJsonSchemaTransformObject({ zodToJsonConfig })

const REF = '#/components/schemas/'
type Schemas = Record<string, object>

/** Names each shape that a call uses once, unless its form in requests differs. */
function nameShapes(document: { paths?: object; components?: { schemas?: Schemas } }) {
  const schemas = document.components?.schemas ?? {}
  const used = usedShapes(document.paths, schemas)
  const textOf = (id: string) => JSON.stringify(schemas[id])?.replaceAll('.Input"', '."')
  const nameOf = (id: string) => {
    const [name, isRequest] = [id.replace(/\.(Input)?$/, ''), id.endsWith('.Input')]
    return isRequest && used.has(`${name}.`) && textOf(id) !== textOf(`${name}.`) ? `${name}Input` : name
  }
  const named: Schemas = {}
  for (const id of [...used].sort()) named[nameOf(id)] = schemas[id] as object
  const text = JSON.stringify({ ...document, components: { ...document.components, schemas: named } })
  return JSON.parse(text.replaceAll(/"#\/components\/schemas\/([^"]+)"/g, (_ref, id) => `"${REF}${nameOf(id)}"`))
}

/** The names of the shapes that a part of the document refers to, and those that they refer to. */
function usedShapes(part: unknown, schemas: Schemas, used = new Set<string>()): Set<string> {
  for (const [, id = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (used.has(id)) continue
    used.add(id)
    usedShapes(schemas[id], schemas, used)
  }
  return used
}

export const apiDocument: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: {
      ...{ title: 'Sourcebook', version: '1', description: DESCRIPTION },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags,
    components: { securitySchemes },
  },
  convertConstToEnum: false,
  transform,
  transformObject: (document) => nameShapes(addShapes(document)),
}

/** Sends the document, which is built once. */
export function apiDocumentRoute(app: App): void {
  let document: string | undefined
  app.get('/openapi.json', { schema: { hide: true }, config: { scope: 'read' } }, async (_request, reply) => {
    document ??= JSON.stringify(app.swagger())
    return reply.type('application/json; charset=utf-8').send(document)
  })
}
