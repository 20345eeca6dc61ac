import { z } from 'zod'
import type { AccountNotice } from './account.ts'
import type { FeedPart } from './feed.ts'

// What an action of the audit log is made of. `audit-actions.ts` has all of them.

type Facts = Record<string, unknown>

/** What a sentence names, for its reader. */
export type Wording = {
  /** What was acted on: `the founder Ada`. In the history of a record, this word for the record itself. */
  of: (word?: string) => string
  /** The same after a preposition. Nothing in the history of the record itself. */
  at: (preposition: string) => string
  /** The other record of a link, a merge or a dismissal. In the history of a record, this word for it. */
  other: (word?: string) => string
  /** Without a change that the reader sees. */
  isEmpty: boolean
  /** The record was merged into the other one. */
  isDuplicate: boolean
  kind: string | null
  /** The values of the pipeline that have changed, by the name of their field, with names instead of ids. */
  pipeline: Readonly<Record<string, string | null>>
  /** Empty in the history of a record, which shows them beside the sentence. */
  before: Facts
  after: Facts
  detail: Facts
}

/** Who reads the entries of an action: managers those of fellows too, and the operator all. */
type Readers = 'fellows' | 'managers' | 'operator'

type More<Shape extends z.ZodRawShape> = {
  detail?: Shape
  /** The act gives a person a file, whose filter is in the detail. */
  isExport?: true
  /** The act ends a way out of the house. What it was, and when it was last used, are in `before` as `name` and `lastSentAt`. */
  endsWayOut?: true
  /** What the history of a record shows of the values, if not the fields of the record. */
  shows?: string
  /** What it is in the feed. Every action of a record or a note says so. */
  feed?: FeedPart
  /** What the owner of an account reads when another has done it. */
  notice?: AccountNotice['what']
  /** The owner reads it from the next sign-in on also where the account itself has done it: another person may have. */
  isToldToActor?: true
}

const readBy =
  <const By extends Readers>(readers: By) =>
  <Shape extends z.ZodRawShape = Record<never, never>>(
    noun: string,
    sentence: string | ((words: Wording) => string),
    { detail, ...more }: More<Shape> = {},
  ) => ({
    ...{ noun, readers, ...(more as Omit<More<Shape>, 'detail'>) },
    /** What was done, after the name of who did it. */
    sentence: typeof sentence === 'string' ? () => sentence : sentence,
    detail: z.strictObject(detail ?? ({} as Shape)).partial(),
  })

export const forFellows = readBy('fellows')
export const forManagers = readBy('managers')
/** Whatever names the author of an opinion. */
export const forOperator = readBy('operator')

/** A thing by its name, as far as it is known. */
export const named = (thing: string, name: unknown): string =>
  typeof name === 'string' ? `the ${thing} “${name}”` : `${/^[aeiou]/.test(thing) ? 'an' : 'a'} ${thing}`

/** A number of things, as far as it is known. */
export const counted = (count: unknown, one: string, many = `${one}s`): string =>
  count === 1 ? `1 ${one}` : typeof count === 'number' ? `${count} ${many}` : many

/** The detail of a change that a trigger writes: what it is part of, and its database user where it has no actor. */
export const ofChange = {
  ...{ databaseUser: z.string(), with: z.enum(['its record', 'leaving']) },
  ...{ import: z.uuid(), revertedImport: z.uuid(), bulkId: z.uuid(), isUndo: z.boolean(), erasureId: z.uuid() },
  ...{ mergeId: z.uuid(), survivorId: z.uuid(), duplicateId: z.uuid() },
}

/** What an act gives each of its entries. */
const actDetail = z.object(ofChange).partial()
export type ActDetail = z.infer<typeof actDetail>

/** The detail of a refused request, or of those of a minute that were only counted. */
export const refusedDetail = z.union([
  z.strictObject({ method: z.string(), path: z.string(), status: z.int() }),
  z.strictObject({ more: z.int(), within: z.literal('1 minute') }),
])
