import { z } from 'zod'
import { PROPOSALS_MAX } from '#contract/filled.ts'
import { filtersOf } from '#contract/filters.ts'
import { fold } from '#contract/fold.ts'
import { type Kind, type KindName, kindNamed, kindNames, kinds } from '#contract/kinds.ts'
import type { NotesAnswer } from '#contract/note.ts'
import { sortNames } from '#contract/record.ts'
import type { Pipeline } from '#contract/stage.ts'
import { addressOf, brief, cut, note, type Row, thatFit, whole } from './present.ts'
import { Proposals, propose, TEXTS_MAX } from './propose.ts'
import { type Query, type Reader, Refused } from './reader.ts'

// The tools of an assistant. They read as the caller of the token, and none writes.

type Tool<Input extends z.ZodObject> = {
  name: string
  description: string
  input: Input
  run: (given: z.infer<Input>, as: { reader: Reader; origin: string }) => Promise<object>
}
const tool = <Input extends z.ZodObject>(declared: Tool<Input>): Tool<z.ZodObject> => declared as never

const kind = z.enum(kindNames)
const id = z.string().describe('Id of a record')
const cursor = z.string().optional().describe('From the answer before')

/** The filter for records that are in none. */
const NO_STAGE = 'none'
const SEARCHED = 20
const LISTED = 25
const NOTES_READ = 20
const NOTES_OF_RECORD = 5
const IN_STAGE = 10
const LINKED = 20

const parametersOf = (kind: Kind) => filtersOf(kind).flatMap(([, { parameters }]) => Object.keys(parameters))
const parameters = [...new Set(kinds.flatMap(parametersOf))].join(', ')

/** A record of any kind, at its survivor if it was merged. What is no id would be the address of another call. */
const findRecord = (reader: Reader) => async (given: string) => {
  if (!z.uuid().safeParse(given).success) return undefined
  for (const kind of kinds) {
    const found = await reader.find<Row>(`/${kind.path}/${given}`)
    if (found !== undefined) return { kind, row: found.body }
  }
  return undefined
}

async function recordOf(reader: Reader, given: string) {
  const found = await findRecord(reader)(given)
  if (found === undefined) throw new Refused('There is no record with this id.')
  return found
}

/** A page with as many rows as fit, and the cursor behind the last of them. */
async function pageOf<Body, One>(
  reader: Reader,
  path: string,
  query: Query & { limit: string },
  rowsIn: (body: Body) => One[],
): Promise<{ rows: One[]; cursor?: string }> {
  const { body, next } = await reader.read<Body>(path, query)
  const rows = rowsIn(body)
  const fitting = thatFit(rows)
  if (fitting.length === rows.length) return { rows, ...(next !== undefined && { cursor: next }) }
  const shorter = await reader.read<Body>(path, { ...query, limit: String(Math.max(fitting.length, 1)) })
  return { rows: rowsIn(shorter.body), ...(shorter.next !== undefined && { cursor: shorter.next }) }
}

export const tools = [
  tool({
    name: 'search',
    description: `Finds founders and companies by words in what is known of them. Up to ${SEARCHED}, newest first.`,
    input: z.object({ words: z.string(), kind: kind.optional() }),
    run: async ({ words, kind: only }, { reader }) => {
      const sought = kinds.filter(({ name }) => only === undefined || name === only)
      const limit = String(SEARCHED / sought.length)
      const found = await Promise.all(
        sought.map(async (kind) => {
          const { body } = await reader.read<Row[]>(`/${kind.path}`, { search: words, limit })
          return body.map((row) => {
            const { id, address, theirWords } = brief(kind, row)
            const { name, company, stage } = theirWords as Record<string, unknown>
            return { id, kind: kind.name, address, theirWords: { name, company, stage } }
          })
        }),
      )
      return { records: thatFit(found.flat()) }
    },
  }),
  tool({
    name: 'list_records',
    description: `Lists records by filters and a sort, or as a saved search does. ${LISTED} a page. Filters: ${parameters}. Days are YYYY-MM-DD. A stage or tag is its name or id, a fellow an id.`,
    input: z.object({
      kind: kind.optional().describe('Needed without savedSearch'),
      filters: z.record(z.string(), z.string()).optional().describe('Values by the name of the filter'),
      search: z.string().optional().describe('Words that the records have'),
      sort: z.enum(sortNames).optional(),
      savedSearch: z.string().optional().describe('Id of a saved search'),
      cursor,
    }),
    run: async ({ kind: name, filters, search, sort, savedSearch, cursor }, { reader }) => {
      const saved = savedSearch === undefined ? undefined : await savedOf(reader, savedSearch)
      const of = saved?.kind ?? name
      if (of === undefined) throw new Refused('Give a kind, or the id of a saved search.')
      const kind = kindNamed<KindName>(of)
      const query = {
        ...saved?.query,
        ...(await withIds(reader, filters ?? {})),
        ...(search !== undefined && { search }),
        ...(sort !== undefined && { sort }),
        ...(cursor !== undefined && { cursor }),
        limit: String(LISTED),
      }
      const { rows, ...page } = await pageOf(reader, `/${kind.path}`, query, (body: Row[]) =>
        body.map((row) => brief(kind, row)),
      )
      return { records: rows, ...page }
    },
  }),
  tool({
    name: 'get_record',
    description: `All that is known of one record: fields, pipeline, tags, finders, links, and its last ${NOTES_OF_RECORD} notes.`,
    input: z.object({ id }),
    run: async ({ id }, { reader }) => {
      const { kind, row } = await recordOf(reader, id)
      const other = kindNamed(kind.linkedTo)
      const [links, notes] = await Promise.all([
        reader.read<{ id: string; name: string; role: string }[]>(`/${kind.path}/${row.id}/${other.path}`, {
          limit: String(LINKED),
        }),
        reader.read<NotesAnswer>(`/notes/${kind.name}/${row.id}`, { limit: String(NOTES_OF_RECORD) }),
      ])
      const record = whole(kind, row)
      const listed = links.body.map(({ id, name, role }) => ({
        ...{ id, kind: other.name, address: addressOf(other, id) },
        theirWords: { name, ...(role !== '' && { role }) },
      }))
      const linked = { ...record, links: thatFit(listed, record) }
      const last = notes.body.notes.map((one) => note(one))
      return { ...linked, notes: thatFit(last, linked), allNotes: notes.body.totalNotes }
    },
  }),
  tool({
    name: 'read_notes',
    description: `The notes of fellows on a record, newest first, ${NOTES_READ} a page.`,
    input: z.object({ id, cursor }),
    run: async ({ id, cursor }, { reader }) => {
      const { kind, row } = await recordOf(reader, id)
      const query = { limit: String(NOTES_READ), ...(cursor !== undefined && { cursor }) }
      const { rows, ...page } = await pageOf(reader, `/notes/${kind.name}/${row.id}`, query, (body: NotesAnswer) =>
        body.notes.map((one) => note(one)),
      )
      return { notes: rows, ...page }
    },
  }),
  tool({
    name: 'find_duplicates',
    description:
      'Up to 3 records that may be the same person or company, with reasons. Use it before proposing to add one.',
    input: z.object({
      kind,
      name: z.string(),
      linkedIn: z.string().optional().describe('Of a founder'),
      company: z.string().optional().describe('Of a founder'),
      website: z.string().optional().describe('Of a company'),
    }),
    run: async ({ kind: name, ...query }, { reader }) => {
      const kind = kindNamed<KindName>(name)
      type Found = { id: string; name: string; title: string | null; company: string | null; facts: string | null }
      const { body } = await reader.read<(Found & { reason: string; isCertain: boolean })[]>(
        `/${kind.path}/similar`,
        query,
      )
      return {
        records: body.map(({ id, reason, isCertain, name, title, company, facts }) => ({
          ...{ id, kind: kind.name, address: addressOf(kind, id), reason, isCertain },
          theirWords: { name, title, company, facts },
        })),
      }
    },
  }),
  tool({
    name: 'get_pipeline',
    description: `The stages with how many records are in each, and the newest ${IN_STAGE} of them.`,
    input: z.object({ kind, stage: z.string().optional().describe('Only this stage, by its name') }),
    run: async ({ kind: name, stage }, { reader }) => {
      const kind = kindNamed<KindName>(name)
      type Column = { stage: Pipeline['stage']; count: number; isMore?: true; records: Row[] }
      const { body } = await reader.read<Column[]>('/pipeline', { kind: kind.name })
      const columns = body.filter((one) => stage === undefined || fold(one.stage?.name ?? '') === fold(stage))
      if (columns.length === 0) throw new Refused('There is no stage with this name.')
      const stages = columns.map(({ stage, count, isMore = false, records }) => ({
        ...{ id: stage?.id ?? null, count, isMore, theirWords: { stage: stage?.name ?? null } },
        records: records.slice(0, IN_STAGE).map(({ id, name, pipeline }) => ({
          ...{ id, address: addressOf(kind, id), daysInStage: pipeline?.daysInStage ?? null },
          theirWords: { name: cut(name, 100), nextStep: pipeline?.nextStep && cut(pipeline.nextStep, 100) },
        })),
      }))
      // Of many stages with long names, those at the end have their numbers alone.
      const numbers = stages.map((one) => ({ ...one, records: [] }))
      const room = thatFit(
        stages.map(({ records }) => records),
        numbers,
      ).length
      return { stages: stages.map((one, place) => (place < room ? one : numbers[place])) }
    },
  }),
  tool({
    name: 'propose',
    description: `Writes nothing. Returns an address of a page whose forms are filled in with up to ${PROPOSALS_MAX} acts; a person reads and sends each. All texts together at most ${TEXTS_MAX} characters.`,
    input: Proposals,
    run: (given, { reader, origin }) => propose(given, findRecord(reader), reader, origin),
  }),
]

/** The lists call stages and tags by their ids. */
async function withIds(reader: Reader, filters: Query): Promise<Query> {
  const named = { ...filters }
  for (const [filter, path] of [
    ['stage', '/stages'],
    ['tag', '/tags'],
  ] as const) {
    const given = filters[filter]
    if (given === undefined || given === NO_STAGE) continue
    const { body } = await reader.read<{ id: string; name: string }[]>(path)
    named[filter] = body.find(({ name }) => fold(name) === fold(given))?.id ?? given
  }
  return named
}

async function savedOf(reader: Reader, id: string): Promise<{ kind: KindName; query: Query }> {
  const { body } = await reader.read<{ id: string; kind: KindName; query: string }[]>('/searches')
  const saved = body.find((one) => one.id === id)
  if (saved === undefined) throw new Refused('There is no search with this id.')
  const { view: _, ...query } = Object.fromEntries(new URLSearchParams(saved.query))
  return { kind: saved.kind, query }
}
