import { eq, sql } from 'drizzle-orm'
import { rowsOf } from '#server/db/database.ts'
import { records } from '#server/db/schema.ts'
import { csv, HEADER, IN, upload } from '#server/import/test/import-file.ts'
import { PASSWORD } from '#server/test/factories.ts'
import type { Answered } from '#server/test/test-app.ts'
import type { FOUNDERS, World } from './world.ts'

// Every act on records that is open to every fellow, with the arguments that matter for rights.

type Founder = (typeof FOUNDERS)[number]

export type Act = {
  /** The call of the API document that it makes. */
  operationId: string
  what: string
  /** Undefined where there is nothing to act on. */
  run: (world: World) => Promise<Answered | undefined>
  /** Starts a job, whose end is waited for. */
  isJob?: boolean
}

const act = (operationId: string, what: string, run: Act['run'], more: Partial<Act> = {}): Act => ({
  ...{ operationId, what, run },
  ...more,
})

/** One act for each of these founders. */
const onEach = (
  operationId: string,
  founders: readonly Founder[],
  run: (world: World, id: string) => ReturnType<Act['run']>,
): Act[] =>
  founders.map((founder) =>
    act(operationId, `${operationId} ${founder}`, (world) => run(world, world.founders[founder])),
  )

const versionOf = async ({ test }: World, id: string): Promise<number> => {
  const [row] = await test.db.select({ version: records.version }).from(records).where(eq(records.id, id))
  return row?.version ?? 1
}

const idFrom = async ({ test }: World, statement: ReturnType<typeof sql>): Promise<string | undefined> =>
  (await rowsOf<{ id: string }>(test.db, statement))[0]?.id

const newest = (world: World, table: string, where = 'true') =>
  idFrom(world, sql.raw(`select id from ${table} where ${where} order by id desc limit 1`))

const add = (world: World, name: string, headers = {}) =>
  world.client.post(
    '/api/founders',
    { name, linkedIn: `${IN}${name.toLowerCase().replace(' ', '-')}`, notes: 'Met' },
    { headers },
  )

async function mergeBoth(world: World, survivorId: string, duplicateId: string, { headers = {}, path = 'merge' } = {}) {
  const versions = Object.fromEntries(
    await Promise.all([survivorId, duplicateId].map(async (id) => [id, await versionOf(world, id)])),
  )
  const body = { survivorId, duplicateId, versions, choices: {} }
  return world.client.post(`/api/records/${path}`, body, { headers })
}

/** An idempotency key of this act, so that doing it twice is a repeat of one request. */
const once = (key: string) => ({ 'idempotency-key': `sequence-${key}` })

const undoMerge = async (world: World, id: string | undefined) =>
  id === undefined ? undefined : world.client.post(`/api/merges/${id}/undo`, {})

const ofImport = (
  operationId: string,
  which: 'filling' | 'updating' | 'imported',
  path: string,
  body: object = {},
  isJob = true,
) =>
  act(
    operationId,
    `${operationId} ${which}`,
    (world) => world.client.post(`/api/imports/${world[which]}/${path}`, body),
    { isJob },
  )

/** Both ways round. The founders `claimed` and `added` are the fellow's as `own` is; a revert takes `added` back. */
const PAIRS: [Founder, Founder][] = [
  ['own', 'foreign'],
  ['own', 'unknown'],
  ['own', 'united'],
  ['own', 'claimed'],
  ['own', 'added'],
  ['foreign', 'unknown'],
  ['foreign', 'united'],
  ['foreign', 'claimed'],
  ['foreign', 'added'],
  ['unknown', 'united'],
]
const merges = PAIRS.flatMap(([a, b]) => [
  [a, b],
  [b, a],
]).map(([survivor, duplicate]) =>
  act('mergeRecords', `merge ${duplicate} into ${survivor}`, (world) =>
    mergeBoth(world, world.founders[survivor as Founder], world.founders[duplicate as Founder]),
  ),
)

const OTHERS = ['foreign', 'unknown', 'united'] as const

/** They change no record, so they are never the last act of the longest sequences. Others may do more after them. */
export const CHANGE_NO_RECORD = [
  ...['previewMerge', 'dismissDuplicate', 'undoDismissal', 'createImport', 'updateImport', 'startImportLookUps'],
  // Without a provider.
  ...['enrichFounder', 'refreshFounder', 'enrichCompany', 'refreshCompany'],
  // No right depends on tags, opinions, saved searches, and what was asked, followed or seen.
  ...['createTag', 'renameTag', 'deleteTag', 'putTags', 'putOpinion', 'deleteOpinion', 'setSeen'],
  ...['createSearch', 'updateSearch', 'deleteSearch', 'watchSearch', 'setSearchSeen'],
  ...['askForOpinions', 'putFollow', 'markInbox', 'updateDigest'],
]

/** An import can be cancelled only while it is read or runs, and each act waits until that has ended. */
export const ALWAYS_REFUSED = [
  'cancelImport',
  // Managers alone, and without one the operator.
  ...['createStage', 'updateStage', 'replacePassingReasons', 'revealOpinions'],
  // By mail, which is not set up.
  'requestAddressChange',
]

const ownPublicId = async (world: World) => {
  const { email } = (await world.client.get('/api/auth/me')).body.user
  return idFrom(world, sql`select public_id as id from accounts where email = ${email}`)
}

/** Changes values of the pipeline in their present version. */
async function move(world: World, id: string, change: object) {
  // A merged record answers with the address of its survivor.
  const { version = 0 } = (await world.client.get(`/api/records/${id}/pipeline`)).body ?? {}
  return world.client.put(`/api/records/${id}/pipeline`, { ...change, version })
}

const firstStage = (world: World) => idFrom(world, sql`select id from stages order by position limit 1`)

const onNewestSearch = (
  operationId: string,
  what: string,
  call: (world: World, path: string) => Promise<Answered>,
): Act =>
  act(operationId, `${what} the newest search`, async (world) => {
    const id = await newest(world, 'saved_searches')
    return id === undefined ? undefined : call(world, `/api/searches/${id}`)
  })

/** The pipeline, tags, opinions and acts on many records. */
const decisions: Act[] = [
  ...onEach('updatePipeline', ['own', ...OTHERS], async (world, id) =>
    move(world, id, { responsible: await ownPublicId(world), nextStep: 'Call' }),
  ),
  act('updatePipeline', 'pass foreign', async (world) => {
    const id = await idFrom(world, sql`select id from passing_reasons order by position limit 1`)
    return move(world, world.founders.foreign, { status: 'passed', reason: { id } })
  }),
  act('updatePipeline', 'advance unknown', (world) => move(world, world.founders.unknown, { status: 'advanced' })),
  act('changeRecords', 'become responsible for all founders', async (world) =>
    world.client.post('/api/records/bulk', {
      ids: Object.values(world.founders),
      set: { responsible: await ownPublicId(world), stage: await firstStage(world) },
    }),
  ),
  act('undoRecordChanges', 'undo the newest change of many', async (world) => {
    const id = await newest(world, 'bulk_acts', 'undone_at is null')
    return id === undefined ? undefined : world.client.post(`/api/records/bulk/${id}/undo`, {})
  }),
  act('createTag', 'add a tag', ({ client }) => client.post('/api/tags', { name: 'Sequences' })),
  act('putTags', 'give unknown every tag', async (world) => {
    const tags = await rowsOf<{ id: string }>(world.test.db, sql`select id from tags`)
    return world.client.put(`/api/records/${world.founders.unknown}/tags`, { tags: tags.map(({ id }) => id) })
  }),
  act('renameTag', 'rename the newest tag', async (world) => {
    const id = await newest(world, 'tags')
    return id === undefined ? undefined : world.client.patch(`/api/tags/${id}`, { name: 'Renamed' })
  }),
  act('deleteTag', 'delete the newest tag', async (world) => {
    const id = await newest(world, 'tags')
    return id === undefined ? undefined : world.client.delete(`/api/tags/${id}`)
  }),
  ...onEach('putOpinion', ['foreign', 'unknown'], ({ client }, id) =>
    client.put(`/api/records/${id}/opinion`, { rating: 7 }),
  ),
  act('deleteOpinion', 'take the opinion on foreign back', ({ client, founders }) =>
    client.delete(`/api/records/${founders.foreign}/opinion`),
  ),
  act('revealOpinions', 'reveal opinions', ({ client, founders }) =>
    client.post(`/api/records/${founders.foreign}/opinions/reveal`, {}),
  ),
  act('setSeen', 'clear the new founders', ({ client }) =>
    client.post('/api/since/founders/seen', { until: new Date().toISOString() }),
  ),
  act('askForOpinions', 'ask for one on foreign', async ({ client, founders, otherName, test }) => {
    const fellows = await rowsOf<{ id: string }>(
      test.db,
      sql`select public_id as id from accounts where name = ${otherName}`,
    )
    return client.post(`/api/records/${founders.foreign}/opinions/ask`, { fellows: fellows.map(({ id }) => id) })
  }),
  act('putFollow', 'mute unknown', ({ client, founders }) =>
    client.put(`/api/records/${founders.unknown}/follow`, { state: 'mute' }),
  ),
  act('markInbox', 'mark all lines as done', ({ client }) =>
    client.post('/api/inbox/done', { until: new Date().toISOString() }),
  ),
  act('createSearch', 'save a search', ({ client }) =>
    client.post('/api/searches', { name: 'Best', kind: 'founder', query: 'sort=rating' }),
  ),
  onNewestSearch('updateSearch', 'share', ({ client }, path) => client.patch(path, { isShared: true })),
  onNewestSearch('watchSearch', 'watch', ({ client }, path) => client.put(`${path}/watch`, { isWatched: true })),
  onNewestSearch('setSearchSeen', 'clear the news of', async ({ client }, path) => {
    await client.put(`${path}/watch`, { isWatched: true })
    return client.post(`${path}/seen`, { until: new Date().toISOString() })
  }),
  onNewestSearch('deleteSearch', 'delete', ({ client }, path) => client.delete(path)),
  act('createStage', 'add a stage', ({ client }) => client.post('/api/stages', { name: 'Own stage' })),
  act('updateStage', 'archive the first stage', async (world) =>
    world.client.patch(`/api/stages/${await firstStage(world)}`, { archived: true }),
  ),
  act('replacePassingReasons', 'replace the reasons', ({ client }) => client.put('/api/passing-reasons', [])),
  act('requestAddressChange', 'ask for another address', ({ client }) =>
    client.post('/api/account/address', { email: 'gone@mit.edu', password: PASSWORD }),
  ),
]

export const ACTS: Act[] = [
  act('createFounder', 'add a founder', (world) => add(world, 'Zoe New')),
  act('createFounder', 'add a founder with a key', (world) => add(world, 'Kim Once', once('founder'))),
  act('createCompany', 'add a company', ({ client }) =>
    client.post('/api/companies', { name: 'New Works', notes: 'Met' }),
  ),

  ...onEach('updateFounder', ['own', ...OTHERS], ({ client }, id) => client.put(`/api/founders/${id}`, { rating: 1 })),
  ...onEach('correctFounder', ['own', ...OTHERS], async (world, id) =>
    world.client.patch(`/api/founders/${id}`, { name: 'Ada Corrected', version: await versionOf(world, id) }),
  ),
  act('correctFounder', "give one's own the LinkedIn address of another's", async (world) => {
    const id = world.founders.own
    return world.client.patch(`/api/founders/${id}`, { linkedIn: `${IN}foreign`, version: await versionOf(world, id) })
  }),
  ...(['company', 'ownCompany'] as const).flatMap((which) => [
    act('updateCompany', `updateCompany ${which}`, (world) =>
      world.client.put(`/api/companies/${world[which]}`, { rating: 1 }),
    ),
    act('correctCompany', `correctCompany ${which}`, async (world) =>
      world.client.patch(`/api/companies/${world[which]}`, {
        ...{ name: 'Corrected', version: await versionOf(world, world[which]) },
      }),
    ),
  ]),

  ...onEach('deleteFounder', ['own', 'foreign', 'added'], ({ client }, id) => client.delete(`/api/founders/${id}`)),
  act('deleteFounder', 'delete the newest founder', async (world) => {
    const id = await newest(world, 'records', "kind = 'founder'")
    return id === undefined || world.foreign.has(id) ? undefined : world.client.delete(`/api/founders/${id}`)
  }),
  act('deleteCompany', "delete one's own company", ({ client, ownCompany }) =>
    client.delete(`/api/companies/${ownCompany}`),
  ),

  ...onEach('enrichFounder', ['foreign'], ({ client }, id) => client.post(`/api/founders/${id}/enrich`, { name: 'A' })),
  ...onEach('refreshFounder', ['foreign'], ({ client }, id) => client.post(`/api/founders/${id}/refresh`)),
  act('enrichCompany', "enrich another's company", ({ client, company }) =>
    client.post(`/api/companies/${company}/enrich`, { domain: 'example.com' }),
  ),
  act('refreshCompany', "refresh another's company", ({ client, company }) =>
    client.post(`/api/companies/${company}/refresh`),
  ),

  ...onEach('createFounderNote', OTHERS, ({ client }, id) =>
    client.post(`/api/notes/founder/${id}`, { content: 'Hi' }),
  ),
  act('createCompanyNote', "write a note on another's company", ({ client, company }) =>
    client.post(`/api/notes/company/${company}`, { content: 'Hi' }),
  ),
  act('deleteFounderNote', 'delete the newest note', async (world) => {
    const [note] = await rowsOf<{ id: string; record: string }>(
      world.test.db,
      sql`select id, record_id as record from notes where kind = 'founder' order by id desc limit 1`,
    )
    return note && world.client.delete(`/api/notes/founder/${note.record}/${note.id}`)
  }),
  act('deleteFounderNote', "delete another's note", ({ client, founders, foreignNote }) =>
    client.delete(`/api/notes/founder/${founders.foreign}/${foreignNote}`),
  ),
  act('deleteCompanyNote', "delete one's own note on one's own company", ({ client, ownCompany, ownNote }) =>
    client.delete(`/api/notes/company/${ownCompany}/${ownNote}`),
  ),

  ...onEach('addFinder', OTHERS, ({ client }, id) => client.post(`/api/records/${id}/finders`, {})),
  act('addFinder', "find another's company too", ({ client, company }) =>
    client.post(`/api/records/${company}/finders`, {}),
  ),
  ...onEach('deleteFinder', ['own', ...OTHERS], ({ client }, id) => client.delete(`/api/records/${id}/finders`)),

  act('putLink', "link one's own founder", ({ client, founders, company }) =>
    client.put(`/api/founders/${founders.own}/companies/${company}`, { role: 'CTO' }),
  ),
  act('deleteLink', "take back another's link", ({ client, founders, company }) =>
    client.delete(`/api/founders/${founders.foreign}/companies/${company}`),
  ),

  act('dismissDuplicate', 'dismiss own and foreign', ({ client, founders }) =>
    client.post('/api/duplicates/dismiss', { a: founders.own, b: founders.foreign }),
  ),
  act('undoDismissal', 'undo that', ({ client, founders }) =>
    client.delete('/api/duplicates/dismiss', { body: { a: founders.own, b: founders.foreign } }),
  ),

  ...merges,
  act('mergeRecords', 'merge foreign into own with a key', (world) =>
    mergeBoth(world, world.founders.own, world.founders.foreign, { headers: once('merge') }),
  ),
  act('mergeRecords', "merge another's company into one's own", (world) =>
    mergeBoth(world, world.ownCompany, world.company),
  ),
  act('previewMerge', 'preview a merge', (world) =>
    mergeBoth(world, world.founders.own, world.founders.foreign, { path: 'merge/preview' }),
  ),
  act('undoMerge', 'undo the newest merge', async (world) =>
    undoMerge(world, await newest(world, 'merges', 'undone_at is null')),
  ),
  act('undoMerge', "undo another's merge", async (world) =>
    undoMerge(world, await idFrom(world, sql`select id from merges order by id limit 1`)),
  ),

  act('createImport', 'upload a file', ({ client }) => upload(client, csv(HEADER, `Ada Foreign,${IN}foreign,Mine,1`)), {
    isJob: true,
  }),
  act(
    'updateImport',
    'let the file skip what is here',
    ({ client, updating }) => client.patch(`/api/imports/${updating}`, { duplicates: 'skip' }),
    { isJob: true },
  ),
  ofImport('addImportRows', 'filling', 'add', { rows: 'all' }),
  ofImport('runImport', 'filling', 'run'),
  ofImport('runImport', 'updating', 'run'),
  ofImport('revertImport', 'filling', 'revert'),
  ofImport('revertImport', 'updating', 'revert'),
  ofImport('revertImport', 'imported', 'revert'),
  ofImport('cancelImport', 'filling', 'cancel'),
  ofImport('startImportLookUps', 'imported', 'look-ups'),
  act('deleteImport', 'delete the import', ({ client, imported }) => client.delete(`/api/imports/${imported}`), {
    isJob: true,
  }),

  ...decisions,

  act('updateDigest', 'want no daily mail', ({ client }) =>
    client.put('/api/account/digest', { when: 'off', hour: 8, timeZone: 'UTC' }),
  ),
  act('updateAccount', "take another's name", ({ client, otherName }) =>
    client.patch('/api/account', { name: otherName }),
  ),
  act('updateAccount', 'take the address of a creator as a name', ({ client }) =>
    client.patch('/api/account', { name: 'gone@mit.edu' }),
  ),
]

/** The calls that must be done at least once. */
export const operations = new Set(
  ACTS.map(({ operationId }) => operationId).filter((id) => !ALWAYS_REFUSED.includes(id)),
)
