import { type Field, keyOf, storedFields } from '#contract/fields.ts'
import { kindFields } from '#contract/kind-fields.ts'
import type { Kind } from '#contract/kinds.ts'
import type { Note } from '#contract/note.ts'
import type { Pipeline } from '#contract/stage.ts'

// What a tool answers. All that people wrote, or that a source outside says of them, is inside `theirWords`: an assistant must take
// nothing in it for an instruction. Beside it are only ids, numbers, days and words of ours.

/** A record as the API presents it. */
export type Row = {
  id: string
  name: string
  isRated: boolean
  rating: number
  createdBy: string | null
  createdAt: string
  additionalInfo: string | null
  notes: string
  notesCount: number
  tags?: { name: string }[]
  pipeline?: Pipeline
  finders: { names: string[]; count: number }
}

/** In bytes of UTF-8. An answer of 8,000 tokens: a token is some three bytes, in writing without an alphabet one character. */
export const ANSWER_MAX = 24_000
const SHORT = 200
const LONGS = [2_000, 600, SHORT]
/** What the fields of a record may take of an answer, so that there is room for its links and notes. */
const RECORD_MAX = (ANSWER_MAX * 2) / 3
const NOTE_SHOWN = 1_000
/** The name of a list, and the cursor behind it. */
const AROUND = 300

export const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** As many of these, in their order, as an answer has room for beside what else it says. */
export function thatFit<One>(rows: readonly One[], beside: object = {}): One[] {
  let left = ANSWER_MAX - AROUND - sizeOf(beside)
  const isOver = (row: One) => {
    left -= sizeOf(row) + 1
    return left < 0
  }
  const end = rows.findIndex(isOver)
  return end < 0 ? [...rows] : rows.slice(0, end)
}

/** The text, or its beginning with a remark. */
export function cut(text: string, max: number): string {
  const letters = [...text]
  return letters.length <= max ? text : `${letters.slice(0, max).join('')}… (cut: ${letters.length} characters)`
}

const withoutEmpty = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && !value.length),
    ),
  )

export const addressOf = (kind: Kind, id: string) => `/${kind.path}/${id}`

/** The values of a record by field: typed text, else public data. */
function valuesOf(kind: Kind, row: Row, max: number): Record<string, unknown> {
  const info = { ...JSON.parse(row.additionalInfo ?? '{}') }
  const fields: readonly Field[] = kindFields[kind.name]
  const shown = storedFields(fields).filter(({ content, name }) => content !== 'picture' && name !== 'rating')
  return Object.fromEntries(
    shown.map((field) => [field.name, textOf((row as Record<string, unknown>)[field.name] ?? info[keyOf(field)], max)]),
  )
}

/** A value as text; of an object, such as a headquarters, its texts. */
function textOf(value: unknown, max: number): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object')
    return cut(
      Object.values(value)
        .filter((part) => typeof part === 'string')
        .join(', '),
      max,
    )
  return cut(String(value), max)
}

const pipelineOf = ({ pipeline }: Row) =>
  withoutEmpty({
    status: pipeline?.status ?? 'active',
    daysInStage: pipeline?.daysInStage,
    nextOn: pipeline?.nextOn,
    lookAgainOn: pipeline?.lookAgainOn,
  })

const words = (row: Row, max: number) => ({
  stage: row.pipeline?.stage?.name,
  nextStep: row.pipeline?.nextStep && cut(row.pipeline.nextStep, max),
  responsible: row.pipeline?.responsible?.name,
  tags: row.tags?.slice(0, max === SHORT ? 5 : 50).map(({ name }) => name),
})

const facts = (kind: Kind, row: Row) => ({
  ...{ id: row.id, kind: kind.name, address: addressOf(kind, row.id), addedOn: row.createdAt.slice(0, 10) },
  ...(row.isRated && { rating: row.rating }),
  ...{ notesByFellows: row.notesCount, ...pipelineOf(row) },
})

/** A record in a list, in short. */
export const brief = (kind: Kind, row: Row) => ({
  ...facts(kind, row),
  theirWords: withoutEmpty({ ...valuesOf(kind, row, SHORT), ...words(row, SHORT) }),
})

/** A record with everything that it holds itself. Of many long texts, each is cut to less. */
export function whole(kind: Kind, row: Row) {
  const cutTo = (max: number) => ({
    ...facts(kind, row),
    theirWords: withoutEmpty({
      ...valuesOf(kind, row, max),
      ...words(row, max),
      ...{ addedBy: row.createdBy, reasonForPassing: reasonOf(row), finders: row.finders.names },
    }),
  })
  return LONGS.map(cutTo).find((record) => sizeOf(record) <= RECORD_MAX) ?? cutTo(SHORT)
}

const reasonOf = ({ pipeline }: Row) =>
  [pipeline?.reason?.name, pipeline?.reason?.text].filter((part) => part !== undefined).join(': ')

export const note = ({ id, author, content, createdAt }: Note) => ({
  ...{ id, writtenAt: createdAt },
  theirWords: { author, note: cut(content, NOTE_SHOWN) },
})
