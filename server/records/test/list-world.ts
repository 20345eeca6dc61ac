import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import type { Stay } from '#contract/board.ts'
import type { Note } from '#contract/note.ts'
import type { SortName } from '#contract/record.ts'
import type { Stage } from '#contract/stage.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { notes, records } from '#server/db/schema.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { myCohort } from '#server/lists/cohorts/figures.ts'
import { merge, undo } from '#server/merge/test/calls.ts'
import { searchable } from '#server/records/write/search-text.ts'
import { insertRecords } from '#server/records/write/write.ts'
import { signCohort } from '#server/test/cohorts.ts'
import { makeAccount } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import type { TestApp, TestClient } from '#server/test/test-app.ts'
import { type Random, randomFrom } from '../../../scripts/seed/random.ts'
import { type Judged, opinionRules } from './opinion-rules.ts'
import { dayAt, type Moved, makePipelines, PIPELINE_RULES, runningSince } from './pipeline-world.ts'
import { makeTags } from './tag-world.ts'

// Records of a kind in every state that a filter or a sort distinguishes, and what each filter should show of them. The rules
// know records as they are on the wire, and no statement of the product.

type Fellow = Awaited<ReturnType<typeof fellowOf>> & { publicId: string }

/** A record on the wire, and which of the fellows have found it or written a note on it. */
export type Seen = Moved &
  Judged & {
    id: string
    name: string
    notes: string
    rating: number
    isRated: boolean
    createdAt: string
    version: number
    linkedIn?: string | null
    website?: string | null
    info: { [name: string]: unknown }
    lastNoteAt: string
    lastActivityAt: string
    tags?: { id: string }[]
  }

export type ListWorld = { kind: EnrichedKind; fellows: Fellow[]; records: Seen[]; stages: Stage[]; tags: string[] }

/** The number of a fellow among those of the world, and the fellow's time zone. */
type Context = { world: ListWorld; caller: number; timeZone?: string | undefined }

export type Rule = {
  /** Values to try, some of which show nothing. */
  values: (world: ListWorld) => string[]
  shows: (record: Seen, value: string, context: Context) => boolean
}

const UNKNOWN_ID = '01900000-0000-7000-8000-000000000001'
const DAYS = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-02-28', '2026-03-01']
const folded = (value: unknown) => (typeof value === 'string' ? value.normalize('NFKC').toLowerCase() : '')
const numberIn = (address: unknown) => /(?:in\/p|site)(\d+)(?:[/?.]|$)/i.exec(String(address))?.[1]
const hasSameNumber = (one: unknown, other: string) =>
  numberIn(other) !== undefined && numberIn(one) === numberIn(other)

/** The city, or the text of the headquarters. */
const placeOf = ({ info: { headquarters: place } }: Seen) =>
  typeof place === 'object' && place !== null
    ? (place as { city?: string }).city || (place as { address_formatted?: string }).address_formatted
    : place

/** What each filter shows. A filter of a kind without a rule fails the test. */
export const RULES: Record<string, Rule> = {
  search: {
    values: () => ['JOS', 'é', '李', '100%', '_', 'name 3', 'rocket', 'halyard', 'ΣΊΣ', 'none of these'],
    shows: ({ name, notes, info }, value) =>
      [name, notes, info.current_company].some((text) => folded(text).includes(folded(value))),
  },
  mine: {
    values: () => ['true', 'false'],
    shows: ({ foundBy, notedBy }, value, { caller }) =>
      value === 'false' || foundBy[caller] === true || notedBy[caller] === true,
  },
  by: {
    values: ({ fellows }) => [
      ...fellows.map(({ publicId }) => publicId),
      fellows[1]?.publicId.toUpperCase() ?? '',
      UNKNOWN_ID,
    ],
    shows: ({ foundBy }, value, { world }) =>
      foundBy[world.fellows.findIndex(({ publicId }) => publicId === value.toLowerCase())] ?? false,
  },
  tag: {
    values: ({ tags }) => [...tags, tags[0]?.toUpperCase() ?? '', UNKNOWN_ID],
    shows: ({ tags = [] }, value) => tags.some(({ id }) => id === value.toLowerCase()),
  },
  ratingMin: {
    values: () => ['1', '5', '8', '10'],
    shows: ({ rating, isRated }, value) => isRated && rating >= Number(value),
  },
  ratingMax: {
    values: () => ['1', '5', '8', '10'],
    shows: ({ rating, isRated }, value) => isRated && rating <= Number(value),
  },
  addedAfter: {
    values: () => ['0001-01-01', ...DAYS, '9999-12-31'],
    shows: ({ createdAt }, value, { timeZone }) => dayAt(createdAt, timeZone) >= value,
  },
  addedBefore: {
    values: () => ['0001-01-01', ...DAYS, '9999-12-31'],
    shows: ({ createdAt }, value, { timeZone }) => dayAt(createdAt, timeZone) <= value,
  },
  quietSince: {
    values: () => ['0001-01-01', ...DAYS, '2026-03-02', '9999-12-31'],
    shows: ({ lastActivityAt }, value, { timeZone }) => dayAt(lastActivityAt, timeZone) < value,
  },
  hasNotes: {
    values: () => ['true', 'false'],
    shows: ({ lastNoteAt }, value) => (lastNoteAt !== '') === (value === 'true'),
  },
  ...PIPELINE_RULES,
  ...opinionRules,
  linkedIn: {
    values: () => ['https://www.linkedin.com/in/p3', 'LINKEDIN.com/in/P4/?x=1', 'linkedin.com/in/p', 'not an address'],
    shows: ({ linkedIn }, value) => hasSameNumber(linkedIn, value),
  },
  website: {
    values: () => ['https://site3.example/about', 'SITE4.example', 'https://site.example', 'not an address'],
    shows: ({ website }, value) => hasSameNumber(website, value),
  },
  industry: {
    values: () => ['éNERGIE', 'energie', 'ВОДА', 'water', 'wat', '%'],
    shows: ({ info }, value) => folded(info.industry) === folded(value),
  },
  place: {
    values: () => ['KÖLN', 'koln', 'oslo', 'Oslo, Norway', 'ΑΘΉΝΑ', 'Os'],
    shows: (record, value) => folded(placeOf(record)) === folded(value),
  },
}

/** The values by which each sort orders, highest first. Between equal ones the newest comes first. */
const SORTS: Record<SortName, (record: Seen) => (string | number)[]> = {
  newest: () => [],
  rating: ({ rating, isRated }) => [isRated ? rating : 0],
  lastNote: ({ lastNoteAt }) => [lastNoteAt],
  stageAge: ({ stays }) => [runningSince(stays) ?? '9'],
}

/** The sorts that begin with the lowest value and the oldest record. */
const ASCENDING: SortName[] = ['stageAge']

/** The parameters of a list that are no filters. */
const OF_THE_PAGE = ['limit', 'cursor', 'in', 'sort', 'timeZone']

/** The filters that the declaration of a kind has. */
export const filtersOf = ({ contract }: EnrichedKind): string[] =>
  Object.keys(contract.ListQuery.shape).filter((name) => !OF_THE_PAGE.includes(name))

/** The query of a list for a caller. */
export async function parametersOf(
  db: Database,
  caller: Pick<Account, 'id'>,
  { cohort, ...filters }: Record<string, string>,
): Promise<URLSearchParams> {
  const parameters = new URLSearchParams(filters)
  if (cohort) parameters.set('cohort', await signCohort(db, caller, myCohort, ...JSON.parse(cohort)))
  return parameters
}

/** What a list with these filters should show, in its order. */
export function expectedIds(context: Context, filters: Record<string, string>, sort: SortName = 'newest'): string[] {
  const keyOf = (record: Seen) => [...SORTS[sort](record), record.createdAt, record.id]
  const compare = (a: Seen, b: Seen) => {
    const [one, other] = [keyOf(a), keyOf(b)]
    const at = one.findIndex((value, index) => value !== other[index])
    const order = at === -1 ? 0 : (one[at] as string) < (other[at] as string) ? 1 : -1
    return ASCENDING.includes(sort) ? -order : order
  }
  return context.world.records
    .filter((record) => Object.entries(filters).every(([name, value]) => RULES[name]?.shows(record, value, context)))
    .toSorted(compare)
    .map(({ id }) => id)
}

const NAMES = ['José Núñez', 'JOSÉ', 'Jose_Maria', '李明', 'Σίσυφος', '100% Ada', 'Name 3', 'Name 30']
const NOTES = ['Ships rockets', 'Ships soup', 'Café in Łódź', 'Ships ROCKETS']
const COMPANIES = ['Halyard Marine', 'HALYARD', 'Other', undefined]
const INDUSTRIES = ['Énergie', 'ÉNERGIE', 'énergie', 'Energie', 'Water', 'Вода', undefined]
const PLACES = [
  ...[{ city: 'Köln' }, 'KÖLN', { city: 'Oslo', address_formatted: 'Oslo, Norway' }, 'Oslo, Norway', 'Αθήνα'],
  ...[{ city: '', address_formatted: 'Oslo' }, { address_formatted: 'Koln' }, undefined],
]
const TIMES = ['00:00:00.000', '23:59:59.999', '12:00:00.000']

/** Three fellows. Addresses are verified, so that imported records with them belong to the fellows. */
export async function makeFellows(test: TestApp): Promise<Fellow[]> {
  const fellows = await Promise.all([1, 2, 3].map(() => fellowOf(test, { emailVerified: true })))
  return Promise.all(
    fellows.map(async (fellow) => {
      const { body } = await fellow.client.get(`/api/fellows?search=${fellow.account.email}`)
      return { ...fellow, publicId: body[0].id }
    }),
  )
}

/** Adds records of a kind, then notes, finders, tags, merges, undone merges and deletions. The same ones for the same seed. */
export async function makeListWorld(
  test: TestApp,
  kind: EnrichedKind,
  fellows: Fellow[],
  { count, seed }: { count: number; seed: string },
): Promise<ListWorld> {
  const random = randomFrom(`${kind.name} ${seed}`)
  const stranger = await makeAccount(test.db)
  const creators = [...fellows.map(({ account }) => account), stranger]
  const made = Array.from({ length: count }, () => newRecord(kind, random, creators))
  await insertRecords(test.db, kind, made)
  const ids = made.map(({ id }) => id)
  const path = `/api/${kind.path}`
  const client = () => random.one(fellows).client
  for (const id of ids) {
    for (let note = random.below(8) - 4; note > 0; note -= 1) {
      const { body } = await client().post(`/api/notes/${kind.name}/${id}`, { content: `Note ${note}` })
      if (random.chance(0.3))
        await Promise.all(fellows.map((by) => by.client.delete(`/api/notes/${kind.name}/${id}/${body.note.id}`)))
    }
    if (random.chance(0.1)) await importNote(test, kind, id)
    if (random.chance(0.3)) await client().post(`/api/records/${id}/finders`, {})
    for (let more = random.below(4); more > 0; more -= 1) {
      const by = client()
      await by.put(`/api/records/${id}/opinion`, { rating: random.between(1, 10) })
      if (random.chance(0.2)) await by.delete(`/api/records/${id}/opinion`)
    }
  }
  const tags = await makeTags(fellows, kind, ids, randomFrom(`tags of ${kind.name} ${seed}`))
  const stages = await makePipelines(test, fellows, ids, random)
  const undone: string[] = []
  for (let at = 0; at + 1 < count / 3; at += 2) {
    const pair = await Promise.all([random.one(ids), random.one(ids)].map((id) => client().get(`${path}/${id}`)))
    const [one, other] = pair.map(({ status, body }) => (status === 200 ? body : undefined))
    if (!one || !other || one.id === other.id) continue
    const by = client()
    const { status, body } = await merge(by, one, other)
    expect(status).toBe(200)
    if (random.chance(0.4)) undone.push((await undo(by, body.mergeId)).body)
    else if (random.chance(0.2)) await Promise.all(fellows.map((fellow) => fellow.client.delete(`${path}/${one.id}`)))
  }
  expect(undone.length).toBeGreaterThan(0)
  const world = { kind, fellows, records: [] as Seen[], stages, tags }
  for (const id of ids) world.records.push(...(await seen(world, id)))
  // No call has it. `last-activity.test.ts` checks it.
  const active = await test.db.select({ id: records.id, at: records.lastActivityAt }).from(records)
  const activeAt = new Map(active.map(({ id, at }) => [id, at.toISOString()]))
  for (const record of world.records) record.lastActivityAt = activeAt.get(record.id) ?? ''
  expect(world.records.length).toBeLessThan(count)
  return world
}

function newRecord(kind: EnrichedKind, random: Random, creators: { id: string; email: string }[]) {
  const creator = random.one(creators)
  const isImported = random.chance(0.3)
  // Few addresses, so that several records share one.
  const number = random.between(1, 9)
  const website = random.chance(0.7) ? `https://www.site${number}.example/about` : null
  const info = {
    founder: { current_company: random.one(COMPANIES) },
    company: { industry: random.one(INDUSTRIES), headquarters: random.one(PLACES) },
  }[kind.name]
  return {
    id: uuidv7(),
    createdAt: new Date(`${random.one(DAYS)}T${random.one(TIMES)}Z`),
    info: JSON.parse(JSON.stringify(info)) as object as Record<string, unknown>,
    fields: {
      name: random.one(NAMES),
      notes: random.one(NOTES),
      rating: isImported && random.chance(0.6) ? null : random.between(1, 10),
      ...(kind.name === 'founder' ? { linkedIn: `https://www.linkedin.com/in/p${number}` } : { website }),
    },
    // An import names its creator: a fellow's address, or a person without an account.
    ...(isImported ? { isImported, creatorText: random.one([creator.email, 'Old Tool']) } : { creatorId: creator.id }),
  }
}

const importNote = (test: TestApp, kind: EnrichedKind, recordId: string) =>
  test.db.insert(notes).values({
    ...{ id: uuidv7(), recordId, kind: kind.name, authorText: 'Old Fellow', content: 'Imported' },
    ...{ searchText: searchable('Imported'), createdAt: new Date('2026-01-02T00:00:00.000Z') },
  })

/** The record as the calls of one record show it to each fellow; nothing if it is merged or deleted. */
async function seen({ kind, fellows }: ListWorld, id: string): Promise<Seen[]> {
  const answers = await Promise.all(fellows.map(({ client }) => client.get(`/api/${kind.path}/${id}`)))
  const [first] = answers
  if (first?.status !== 200) return []
  const { body } = first
  const { body: thread } = await (fellows[0] as Fellow).client.get(`/api/notes/${kind.name}/${id}`)
  const pipeline = (await (fellows[0] as Fellow).client.get(`/api/records/${id}/pipeline`)).body
  const stays = (await (fellows[0] as Fellow).client.get(`/api/records/${id}/stays`)).body as Stay[]
  const opinions = await Promise.all(fellows.map(({ client }) => client.get(`/api/records/${id}/opinions`)))
  const authors = thread.notes.map(({ authorEmail }: Note) => authorEmail)
  const times = thread.notes.map(({ createdAt }: Note) => createdAt).toSorted()
  return [
    {
      ...body,
      ...{ pipeline, stays: stays.filter(({ of }) => of === undefined) },
      info: JSON.parse(body.additionalInfo ?? '{}'),
      lastNoteAt: times.at(-1) ?? '',
      opinionBy: opinions.map((answer) => answer.body.mine !== null),
      foundBy: answers.map((answer) => answer.body.finders.mine),
      notedBy: fellows.map(({ account }) => authors.includes(account.email)),
    },
  ]
}

/** The ids of all pages of a list, and the total that each page has. */
export async function pagesOf(client: TestClient, path: string) {
  const [ids, totals]: [string[], (string | undefined)[]] = [[], []]
  for (let next: string | undefined = path; next !== undefined && totals.length < 99; ) {
    const answer = await client.get(next)
    expect([next, answer.status]).toEqual([next, 200])
    ids.push(...answer.body.map(({ id }: { id: string }) => id))
    totals.push(answer.headers['x-total-count'] as string | undefined)
    next = nextOf(answer.headers.link)
  }
  return { ids, totals }
}

export const nextOf = (link: unknown): string | undefined => /^<(.+)>; rel="next"$/.exec(String(link))?.[1]
