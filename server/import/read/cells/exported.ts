import { z } from 'zod'
import { Finder } from '#contract/finder.ts'
import { NoteInput } from '#contract/note.ts'
import type { Facts } from '#server/db/schema.ts'
import { headquarters, text } from '#server/enrichment/findings.ts'
import type { RecordKind } from '#server/records/kind.ts'

// The columns that only our own JSON Lines have. Each holds JSON. Values in another form are ignored.

const NAME_MAX = 200
/** Far above the size of any record, so that one line cannot fill the database. */
const LIST_MAX = 1_000

const Time = z.iso.datetime().transform((time) => new Date(time))
const ThreadNote = z.object({ author: z.string().trim().min(1).max(NAME_MAX), ...NoteInput.shape, createdAt: Time })
const FoundBy = z.object({ name: z.string().trim().min(1).max(NAME_MAX), foundAt: Time, via: Finder.shape.via })

export type ImportedNote = z.infer<typeof ThreadNote>
export type ImportedFinder = z.infer<typeof FoundBy>

/** Notes of fellows, newest first. */
export const parseThread = (json: string): ImportedNote[] => parseList(json, ThreadNote)

/** The finders of the record, first finder first. */
export const parseFinders = (json: string): ImportedFinder[] => parseList(json, FoundBy)

function parseList<Item extends z.ZodType>(json: string, Item: Item): z.infer<Item>[] {
  const list = parseJson(json)
  if (!Array.isArray(list)) return []
  return list.slice(0, LIST_MAX).flatMap((item) => {
    const { success, data } = Item.safeParse(item)
    return success ? [data] : []
  })
}

/** The enriched values, without those in columns of their own. Pictures are no part of an export. */
export function parseInfo({ infoFields }: RecordKind, json: string): Facts | null {
  const given = parseJson(json)
  if (typeof given !== 'object' || given === null) return null
  const known = infoFields
    .filter(({ content }) => content !== 'picture')
    .map(({ info }) => [info, infoValue((given as Facts)[info])])
    .filter(([, value]) => value !== undefined)
  return known.length > 0 ? Object.fromEntries(known) : null
}

function infoValue(value: unknown) {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'object' || value === null) return text(value, 10_000)
  const { address_formatted: address, city } = value as Facts
  return headquarters({ address, city })
}

function parseJson(json: string): unknown {
  if (json === '') return undefined
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
