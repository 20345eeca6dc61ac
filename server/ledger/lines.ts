import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { StartupError } from '#server/startup-error.ts'

// The ledger as a file: a header, then one line of JSON per fact, each with an id and a time. It has ids and keyed hashes,
// no names and no addresses. The `refs` of an erasure name values of rows that stay and jobs, by their keys.

const fact = { id: z.guid(), at: z.iso.datetime() }

const STATES = ['enabled', 'disabled', 'left', 'manager', 'demoted'] as const

/** Hashes under the key of the line with this id. */
const KeyedHashes = z.object({ key: z.guid(), hashes: z.array(z.string()) })
export type KeyedHashes = z.infer<typeof KeyedHashes>

const LedgerLine = z.discriminatedUnion('kind', [
  z.object({
    ...{ ...fact, kind: z.literal('erased'), records: z.array(z.guid()), refs: z.array(z.string()).optional() },
    doNotKeep: KeyedHashes.optional(),
  }),
  // An erased account, its number, and its former address in plain form.
  z.object({ ...fact, kind: z.literal('fellow'), account: z.guid(), number: z.int(), plain: KeyedHashes }),
  z.object({ ...fact, kind: z.literal('key'), key: z.string().regex(/^[0-9a-f]{64}$/) }),
  z.object({ ...fact, kind: z.literal('account'), account: z.guid(), state: z.enum(STATES) }),
  z.object({ ...fact, kind: z.literal('digest'), account: z.guid(), state: z.enum(['on', 'off']) }),
  z.object({ ...fact, kind: z.literal('channel'), channel: z.guid() }),
  z.object({ ...fact, kind: z.literal('token'), token: z.guid() }),
  z.object({ ...fact, kind: z.literal('webhook'), webhook: z.guid() }),
  z.object({ ...fact, kind: z.literal('password'), account: z.guid(), act: z.enum(['changed', 'reset']) }),
])
export type LedgerLine = z.infer<typeof LedgerLine>
export type LedgerKind = LedgerLine['kind']

export const LEDGER_FILE = 'ledger.jsonl'

export const HEADER = `${JSON.stringify({ ledger: 'sourcebook', version: 1 })}\n`
export const textOf = (line: LedgerLine) => `${JSON.stringify(line)}\n`

/** Characters of a line: an erasure of 20,000 records. */
export const LINE_MAX = 1_000_000

const LINE_FEED = 10

export type LedgerContent = {
  lines: LedgerLine[]
  /** The bytes up to the end of the last whole line. The rest was torn by a crash. */
  whole: number
  /** The last whole line has no line feed. */
  isOpen: boolean
}

/** A line of the database or a file. Throws for another shape. */
export const parseLine = (value: unknown): LedgerLine => LedgerLine.parse(value)

/**
 * Reads a ledger. A last line that a crash has torn is left out. Undefined when the file is missing. Throws a
 * `StartupError` for any other damage.
 */
export async function readLedger(path: string): Promise<LedgerContent | undefined> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new StartupError(`The ledger ${path} cannot be read (${error.code}).`)
  })
  return bytes && parseLedger(path, bytes)
}

export function parseLedger(path: string, bytes: Buffer): LedgerContent {
  const content: LedgerContent = { lines: [], whole: 0, isOpen: false }
  for (let number = 1, from = 0; from < bytes.length; number += 1) {
    const feed = bytes.indexOf(LINE_FEED, from)
    const end = feed === -1 ? bytes.length : feed
    const isLast = end + 1 >= bytes.length
    if (end - from > LINE_MAX) throw damaged(path, number)
    const text = bytes.subarray(from, end).toString()
    if (number === 1) {
      const isTorn = feed === -1 && HEADER.startsWith(text) && text.length < HEADER.length - 1
      if (isTorn) return content
      refuseOtherFile(path, text)
    } else {
      const value = parse(text)
      // The writer ends each line before the next one, so only the last line can be torn.
      if (value === undefined && isLast) return content
      const line = LedgerLine.safeParse(value)
      if (!line.success) throw damaged(path, number)
      content.lines.push(line.data)
    }
    content.whole = Math.min(end + 1, bytes.length)
    content.isOpen = feed === -1
    from = end + 1
  }
  return content
}

function refuseOtherFile(path: string, first: string) {
  const header = z.object({ ledger: z.literal('sourcebook'), version: z.int() }).safeParse(parse(first))
  if (!header.success) throw new StartupError(`${path} is not a ledger of Sourcebook.`)
  if (header.data.version > 1) throw new StartupError(`The ledger ${path} was written by a newer Sourcebook.`)
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const damaged = (path: string, number: number) =>
  new StartupError(
    `The ledger ${path} is damaged at line ${number}. Use another copy of it, from the data folder, the folder of backups or another host, and move this one away.`,
  )
