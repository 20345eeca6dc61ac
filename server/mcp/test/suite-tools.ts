import { setTimeout as sleep } from 'node:timers/promises'
import {
  acceptedContent,
  type CallToolResult,
  fromJsonSchema,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'

// The tools that the conformance suite of the protocol calls. Its scenarios say what each does.

type Answer = CallToolResult | InputRequiredResult
type Run = (context: ServerContext) => Answer | Promise<Answer>

/** One red pixel, and the shortest sound. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='
const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const
const text = (words: string) => ({ type: 'text', text: words }) as const
const resource = (uri: string, mimeType: string, words: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text: words } }) as const
const saying = (words: string): CallToolResult => ({ content: [text(words)] })

const nameForm = {
  type: 'object' as const,
  properties: { name: { type: 'string' as const } },
  required: ['name'],
}
const askName = inputRequired.elicit({ message: 'What is your name?', requestedSchema: nameForm })
const question = (words: string) => ({
  messages: [{ role: 'user' as const, content: text(words) }],
  maxTokens: 100,
})
const askModel = inputRequired.createMessage(question('What is the capital of France?'))

async function log({ mcpReq }: ServerContext): Promise<CallToolResult> {
  for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await mcpReq.log('info', words)
    await sleep(50)
  }
  return saying('Logged')
}

const runs: Record<string, Run> = {
  test_simple_text: () => saying('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => {
    throw new Error('This tool intentionally returns an error for testing')
  },
  test_tool_with_logging: log,
  test_logging_tool: log,
  async test_tool_with_progress({ mcpReq }) {
    const { progressToken } = mcpReq._meta ?? {}
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
      await sleep(50)
    }
    return saying('Done')
  },
  test_missing_capability: () => inputRequired({ inputRequests: { capital_question: askModel } }),
  test_streaming_elicitation: () => inputRequired({ inputRequests: { user_name: askName } }),
  test_input_required_result_elicitation: ({ mcpReq }) => {
    const { name } = acceptedContent<{ name: string }>(mcpReq.inputResponses, 'user_name') ?? {}
    return typeof name === 'string'
      ? saying(`Hello, ${name}!`)
      : inputRequired({ inputRequests: { user_name: askName } })
  },
  test_input_required_result_sampling: ({ mcpReq }) => {
    const response = inputResponse(mcpReq.inputResponses, 'capital_question')
    if (response.kind !== 'missing') return saying(JSON.stringify(response))
    return inputRequired({ inputRequests: { capital_question: askModel } })
  },
}

/** A schema with what JSON Schema 2020-12 has and earlier drafts had not. */
const schema2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const

const prompted = (field: string, about: object = {}) =>
  fromJsonSchema<Record<string, string>>({
    type: 'object',
    properties: { [field]: { type: 'string', ...about } },
    required: [field],
  })

/** Gives a server the tools of the suite beside its own. */
export function registerSuiteTools(server: McpServer): void {
  for (const [name, run] of Object.entries(runs)) server.registerTool(name, { description: `Runs ${name}` }, run)
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has a schema of 2020-12', inputSchema: fromJsonSchema(schema2020 as never) },
    () => saying('Valid'),
  )
  server.registerTool(
    'test_custom_headers',
    { description: 'Has a field that is a header too', inputSchema: prompted('region', { 'x-mcp-header': 'Region' }) },
    ({ region = '' }) => saying(region),
  )
  server.registerTool(
    'test_sampling',
    { description: 'Asks the model of the client', inputSchema: prompted('prompt') },
    async ({ prompt = '' }, { mcpReq }) => saying(JSON.stringify(await mcpReq.requestSampling(question(prompt)))),
  )
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the person at the client', inputSchema: prompted('message') },
    async ({ message = '' }, { mcpReq }) =>
      saying(JSON.stringify(await mcpReq.elicitInput({ message, requestedSchema: nameForm }))),
  )
}
