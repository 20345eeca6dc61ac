import { createHash } from 'node:crypto'
import type { BetterAuthOptions, DBAdapter, Where } from 'better-auth'

const PREFIX = 'sha256:'

/** A session token as it is stored: who reads the database cannot sign in with what is there. */
export const storedToken = (token: string) => PREFIX + createHash('sha256').update(token).digest('base64url')

// Lists of sessions come back with stored tokens; asking with one of those must not hash it again.
const asStored = (value: unknown) =>
  typeof value === 'string' && !value.startsWith(PREFIX) ? storedToken(value) : value

const storedWhere = (where: Where[]) =>
  where.map((clause) => {
    if (clause.field !== 'token') return clause
    const { value } = clause
    return { ...clause, value: Array.isArray(value) ? value.map((one) => asStored(one)) : asStored(value) } as Where
  })

type Adapter = DBAdapter<BetterAuthOptions>
type MakeAdapter = (options: BetterAuthOptions) => Adapter

/** What this file needs to know of a question to the adapter, whose own types are generic in every model. */
type Question = { model: string; where?: Where[]; data?: Record<string, unknown> }
type Answer = Record<string, unknown> | null
type Verb = (question: Question) => Promise<Answer>

/** Wraps Better Auth's database adapter so that session tokens are stored as hashes only. */
export const withHashedTokens =
  (make: MakeAdapter): MakeAdapter =>
  (options) =>
    hashing(make(options))

const ASKING_BY_WHERE = ['findMany', 'count', 'update', 'updateMany', 'delete', 'deleteMany'] as const

function hashing(adapter: Adapter): Adapter {
  const verb = (name: keyof Adapter) => adapter[name] as unknown as Verb
  const stored = (question: Question): Question =>
    question.model === 'session' && question.where ? { ...question, where: storedWhere(question.where) } : question

  const wrapped: Record<string, unknown> = { ...adapter }
  for (const name of ASKING_BY_WHERE) wrapped[name] = (question: Question) => verb(name)(stored(question))
  // Better Auth goes on with the token that it made or asked with, to set it as a cookie, to renew or to end it.
  wrapped.create = async (question: Question) => {
    const token = question.model === 'session' ? question.data?.token : undefined
    if (token === undefined) return verb('create')(question)
    const row = await verb('create')({ ...question, data: { ...question.data, token: asStored(token) } })
    return row && { ...row, token }
  }
  wrapped.findOne = async (question: Question) => {
    const row = await verb('findOne')(stored(question))
    const token = question.model === 'session' && question.where?.find(({ field }) => field === 'token')?.value
    return row && token ? { ...row, token } : row
  }
  wrapped.transaction = (work: (inner: Adapter) => Promise<unknown>) =>
    adapter.transaction((inner) => work(hashing(inner as Adapter)))
  return wrapped as unknown as Adapter
}
