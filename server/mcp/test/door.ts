import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { TestApp } from '#server/test/test-app.ts'

/** Revisions of the protocol, as its own client asks for them. */
export const PREVIOUS = { mode: 'legacy' } as const
export const PRESENT = { mode: 'auto' } as const

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Result = { isError: boolean; text: string; answer: any }

/** The protocol's own client at a door, with this token. */
export async function connectTo(
  door: URL,
  token: string,
  versionNegotiation: typeof PREVIOUS | typeof PRESENT = PRESENT,
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(door, { requestInit }))
  return client
}

/** Where the product listens for assistants. */
export const openDoor = async (test: TestApp) => new URL('/mcp', await test.app.listen({ port: 0, host: '127.0.0.1' }))

/** Calls a tool. */
export async function callTool(client: Client, name: string, given: object): Promise<Result> {
  const { content, isError = false } = await client.callTool({ name, arguments: { ...given } })
  const { text } = (content as { text: string }[])[0] as { text: string }
  return { isError, text, answer: isError ? text : JSON.parse(text) }
}

/** So many calls of tools make fewer calls of the API than a token may in a minute. */
const CALLS_OF_TOKEN = 40

/** Calls tools, with another token before one has made too many calls. */
export function createAssistant(door: URL, newToken: () => Promise<{ token: string }>) {
  let calls = 0
  let client: Client
  return async (name: string, given: object): Promise<Result> => {
    if (calls % CALLS_OF_TOKEN === 0) client = await connectTo(door, (await newToken()).token)
    calls += 1
    return callTool(client, name, given)
  }
}

type Ask = (name: string, given: object) => Promise<Result['answer']>

/** All records of a kind, page by page. */
export async function listAll(ask: Ask, kind: string): Promise<{ id: string }[]> {
  const { records, cursor } = await ask('list_records', { kind })
  for (let next = cursor; next !== undefined; ) {
    const page = await ask('list_records', { kind, cursor: next })
    records.push(...page.records)
    next = page.cursor
  }
  return records
}

/** All keys and texts of an answer, and of them those in fields for what people wrote. */
export function textsOf(answer: unknown, isTheirs = false): { ours: string[]; theirs: string[] } {
  if (typeof answer === 'string') return isTheirs ? { ours: [], theirs: [answer] } : { ours: [answer], theirs: [] }
  if (typeof answer !== 'object' || answer === null) return { ours: [], theirs: [] }
  const parts = Object.entries(answer).map(([key, one]) => textsOf(one, isTheirs || key === 'theirWords'))
  const keys = isTheirs || Array.isArray(answer) ? [] : Object.keys(answer)
  return { ours: [...keys, ...parts.flatMap(({ ours }) => ours)], theirs: parts.flatMap(({ theirs }) => theirs) }
}
