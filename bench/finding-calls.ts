import { z } from 'zod'
import type { Fellow } from '#contract/fellow.ts'
import { RATING_MAX } from '#contract/limits.ts'
import { sortNames } from '#contract/record.ts'
import { companyKind } from '#server/companies/kind.ts'
import { founderKind } from '#server/founders/kind.ts'
import type { RecordKind } from '#server/records/kind.ts'
import type { Caller, Page } from './caller.ts'
import { ADD_NOTES, type Call, createFounders, LIMIT, pageAt, type Request } from './calls.ts'
import { get, pipelineCalls, pipelineValues } from './pipeline-calls.ts'
import { spread, type Terms } from './terms.ts'

/** A filter, a sort or a search of a list, or two of them together. */
export type Selection = Call & { kind: string; parts: string[] }

const DEPTH = 50_000
const EACH = 12
/** Neither filter, sort nor search. */
const OTHERS = ['limit', 'cursor', 'in', 'timeZone']
const NOT_THERE = Array.from('abcdefghijkl', (letter) => `zqxj${letter}kvw`)

const listOf = (kind: Pick<RecordKind, 'path'>, query: Record<string, string>) =>
  get(`${kind.path}?${new URLSearchParams({ limit: String(LIMIT), ...query })}`)

export const plainList: Call = { name: 'list', requests: [listOf(founderKind, {})] }

/** All parts of a record page, the sorts at depth, the further searches and the palette. The writes are last. */
export async function findingCalls(caller: Caller, terms: Terms): Promise<Call[]> {
  const { rows } = await caller.page('/api/founders?limit=500')
  const parts = {
    'the record': (id: string) => `founders/${id}`,
    finders: (id: string) => `records/${id}/finders`,
    companies: (id: string) => `founders/${id}/companies?limit=${LIMIT}`,
    merges: (id: string) => `records/${id}/merges`,
    history: (id: string) => `founders/${id}/history?limit=${LIMIT}`,
    notes: (id: string) => `notes/founder/${id}?limit=${LIMIT}`,
  }
  const sorts = sortNames.map(async (sort) => ({
    name: `sort ${sort}, 1,000 pages deep`,
    requests: [{ method: 'GET' as const, path: await pageAt(caller.page, DEPTH, `&sort=${sort}`) }],
  }))
  const further = (where: string) => (terms: string[]) =>
    terms.map((search) => listOf(founderKind, { search, in: where }))
  const typed = [...beginnings(rows), ...beginnings((await caller.page('/api/companies?limit=200')).rows)]
  const each = (texts: Record<string, string[]>, requestsOf: (terms: string[]) => Request[], title: string): Call[] =>
    Object.entries(texts).map(([name, list]) => ({ name: `${title}, ${name}`, requests: requestsOf(list) }))
  return [
    ...Object.entries(parts).map(([name, path]) => ({
      name: `record page, ${name}`,
      requests: rows.map(({ id }) => get(path(id))),
    })),
    ...(await Promise.all(sorts)),
    ...each(terms, further('mentions'), 'also mentioned'),
    ...each(similarTo(rows), further('similar'), 'similar'),
    ...(await pipelineCalls(caller, rows)),
    {
      name: 'palette',
      requests: typed.flatMap((search) =>
        [founderKind, companyKind].map((kind) => listOf(kind, { search, limit: '6' })),
      ),
    },
    { name: ADD_NOTES, requests: rows.slice(0, 200).map(({ id }) => addNote(id)) },
    createFounders,
  ]
}

const addNote = (id: string): Request => ({
  ...{ method: 'POST', path: `/api/notes/founder/${id}`, body: { content: 'Two utilities pay for the sensor.' } },
})

/** Each filter, sort and search that the contract declares for a kind, and each pair of them, once for all kinds. */
export async function selections(caller: Caller, terms: Terms, emails: string[]): Promise<Selection[]> {
  const made = new Map<string, Selection>()
  for (const kind of [founderKind, companyKind] as RecordKind[]) {
    const names = Object.keys(kind.contract.ListQuery.shape).filter((name) => !OTHERS.includes(name))
    const values = await valuesOf(kind, caller, terms, emails)
    const queries = (name: string) => {
      const known = values[name] ?? optionsOf(kind.contract.ListQuery.shape[name])
      if (known === undefined) throw new Error(`Add values of the filter "${name}" of ${kind.path} to measure it with`)
      return known.map((value) => ({ [name]: value }))
    }
    for (const [at, one] of names.entries()) {
      for (const other of names.slice(at)) {
        const parts = [...new Set([one, other])]
        const name = parts.join(' + ')
        const pairs = queries(one).flatMap((first) => queries(other).map((second) => ({ ...first, ...second })))
        const requests = (one === other ? queries(one) : pairs).map((query) => listOf(kind, query))
        if (!made.has(name)) made.set(name, { name, kind: kind.path, parts, requests })
      }
    }
  }
  return [...made.values()]
}

/** The values of an enumeration. */
function optionsOf(schema: unknown): string[] | undefined {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema
  return inner instanceof z.ZodEnum ? inner.options.map(String) : undefined
}

type Values = Record<string, string[]>

/** For filters that are no enumeration: values that select much, something, little and nothing. */
async function valuesOf(kind: RecordKind, caller: Caller, terms: Terms, emails: string[]): Promise<Values> {
  const { rows } = await caller.page(`/api/${kind.path}?limit=500`)
  const fellows = await Promise.all(
    [emails[0], emails[9], emails.at(-1)].map((email) =>
      caller.get<Fellow[]>(`/api/fellows?${new URLSearchParams({ search: email ?? '' })}`),
    ),
  )
  const days = [30, 365, 1000].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10))
  const addresses = spread(
    rows.flatMap((row) => row.linkedIn ?? row.website ?? []),
    4,
  )
  const info = rows.map(({ additionalInfo }) => JSON.parse(additionalInfo ?? '{}'))
  const ofInfo = (read: (info: Record<string, unknown>) => unknown) => [
    ...spread([...new Set(info.flatMap((one) => (read(one) ? [String(read(one))] : [])))], 3),
    'Zqxjkvw',
  ]
  return {
    mine: ['true'],
    by: fellows.flatMap(([fellow]) => fellow?.id ?? []),
    ratingMin: ['2', '7', '9', String(RATING_MAX)],
    ratingMax: ['1', '2', '5', '9'],
    addedAfter: days,
    addedBefore: days,
    ...(await pipelineValues(caller, kind, fellows.flat())),
    sort: sortNames.filter((name) => name !== 'newest'),
    search: [terms.common, terms.middling, terms.rare, terms.missing].map(([term]) => term as string),
    linkedIn: addresses,
    website: addresses,
    industry: ofInfo(({ industry }) => industry),
    place: ofInfo(({ headquarters }) => (typeof headquarters === 'string' ? headquarters : undefined)),
  }
}

const withoutAccents = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '')

/** Names as people misremember them. */
function similarTo(rows: Page['rows']): Record<string, string[]> {
  const names = rows.map(({ name }) => name)
  const inLatin = names.filter((name) => /^[\p{Script=Latin}]+ [\p{Script=Latin}]{6,}$/u.test(name))
  const wordsOf = (name: string) => name.split(' ') as [string, string]
  const accented = names.filter(
    (name) => /^\p{Script=Latin}/u.test(name) && withoutAccents(name) !== name.normalize('NFD'),
  )
  return {
    'a family name': spread(inLatin, EACH).map((name) => wordsOf(name)[1]),
    'a typo': spread(inLatin, EACH).map((name) => `${wordsOf(name)[0]} ${wordsOf(name)[1].replace(/^(...)./, '$1')}`),
    'without accents': spread(accented, EACH).map(withoutAccents),
    swapped: spread(inLatin, EACH).map((name) => wordsOf(name).toReversed().join(' ')),
    nothing: NOT_THERE,
  }
}

/** What a person types of a name: the first three letters, and most of it. */
const beginnings = (rows: Page['rows']) =>
  spread(
    rows.filter(({ name }) => name.length > 6),
    EACH,
  ).flatMap(({ name }) => [name.slice(0, 3), name.slice(0, -2)])
