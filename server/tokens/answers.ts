import { sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, records } from '#server/db/schema.ts'

// What an answer to a token has: no address of a fellow, whatever presents it. A fellow without a name is shown by the address, so
// values are looked up, and not only the fields that are for addresses. What people wrote stays as it is.

type Answer = unknown

const ADDRESS = /[^\s@<>()"',;:]+@[^\s@<>()"',;:]+/g
const isAddress = (text: string) => /^[^\s@]+@[^\s@]+$/.test(text)

/** What people wrote, and what is known of the people of a record. */
const OF_PEOPLE = new Set([
  ...[
    'notes',
    'content',
    'comment',
    'about',
    'description',
    'bio',
    'additionalInfo',
    'notesPreview',
    'email',
    'mention',
  ],
  ...['nextStep', 'text', 'query'],
])
/** Where fellows are named. What an import gave may be an address without an account. */
const OF_FELLOWS = new Set(['author', 'by', 'createdBy', 'firstFinder', 'names', 'notesEditedBy', 'responsible'])
/** A sentence of ours may name fellows. */
const isSentence = (key: string) => key === 'sentence'

type Visit = (key: string, text: string) => string | null

/** The same answer with other texts. */
function withTexts(answer: Answer, visit: Visit, key = ''): Answer {
  if (typeof answer === 'string') return OF_PEOPLE.has(key) ? answer : visit(key, answer)
  if (Array.isArray(answer)) return answer.map((one) => withTexts(one, visit, key))
  if (typeof answer !== 'object' || answer === null || answer instanceof Date) return answer
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, withTexts(value, visit, name)]))
}

/** The texts that are addresses, or in a sentence of ours. */
function addressesIn(answer: Answer): string[] {
  const found = new Set<string>()
  withTexts(answer, (key, text) => {
    for (const [address] of isSentence(key) ? text.matchAll(ADDRESS) : []) found.add(address.toLowerCase())
    if (isAddress(text)) found.add(text.toLowerCase())
    return text
  })
  return [...found]
}

/** An answer without the addresses of fellows. `createdBy` is a name or null, also where an import gave an address. */
export async function withoutAddresses<Shape extends Answer>(db: Database, answer: Shape): Promise<Shape> {
  const addresses = addressesIn(answer)
  const rows =
    addresses.length === 0
      ? []
      : await rowsOf<{ email: string }>(
          db,
          sql`select ${accounts.email} from ${accounts} where ${accounts.email} = any (${sql.param(addresses)}::text[])`,
        )
  const ofFellows = new Set(rows.map(({ email }) => email))
  const isOfFellow = (text: string) => ofFellows.has(text.toLowerCase())
  return withTexts(answer, (key, text) => {
    if (key === 'authorEmail') return ''
    if (key === 'createdBy' && isAddress(text)) return null
    if (isSentence(key)) return text.replaceAll(ADDRESS, (address) => (isOfFellow(address) ? 'A fellow' : address))
    return isOfFellow(text) || (OF_FELLOWS.has(key) && isAddress(text)) ? '' : text
  }) as Shape
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The records among the ids in an answer and in its address, each once. */
export async function countRecords(db: Database, answer: Answer): Promise<number> {
  const ids = new Set<string>()
  withTexts(answer, (_key, text) => {
    if (UUID.test(text)) ids.add(text.toLowerCase())
    return text
  })
  if (ids.size === 0) return 0
  const [row] = await rowsOf<{ count: number }>(
    db,
    sql`select count(*)::int as count from ${records} where ${records.id} = any (${sql.param([...ids])}::uuid[])`,
  )
  return row?.count ?? 0
}
