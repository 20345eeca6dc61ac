import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { recordData } from '#server/record-features.ts'
import { namesIn } from '#server/records/record-data.ts'
import { makeImport } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { compareLinks } from './test/model-links.ts'
import { GIVEN, tablesOf } from './test/model-tables.ts'
import { compareTags, type KnownTags } from './test/model-tags.ts'
import { type Step, step, World } from './test/model-world.ts'

const RUNS = process.env.LONG ? 400 : 8
const TIMEOUT_MS = RUNS * 8_000
const FIRST_ADDED = 8

let test: TestApp
let fellows: Awaited<ReturnType<typeof fellowOf>>[]
let importId: string
let tags: KnownTags
let pipeline: ConstructorParameters<typeof World>[0]['pipeline']
beforeAll(async () => {
  test = await startTestApp()
  fellows = await Promise.all([1, 2, 3].map(() => fellowOf(test, { role: 'manager' })))
  const idsIn = async (path: string) =>
    ((await (fellows[0] as (typeof fellows)[0]).client.get(path)).body as { id: string }[]).map(({ id }) => id)
  pipeline = { stages: await idsIn('/api/stages'), reasons: await idsIn('/api/passing-reasons') }
  importId = (await makeImport(test.db, { importer: (fellows[0] as (typeof fellows)[0]).account })).id
  const created = ['Climate', 'Fintech'].map((name) => fellows[0]?.client.post('/api/tags', { name }))
  tags = (await Promise.all(created)).map((answer) => ({ id: answer?.body.id, name: answer?.body.name }))
})
afterAll(() => test.close())

const LISTED = recordData.filter(({ merge }) => merge !== 'none').map(namesIn)
const TABLES = LISTED.map(({ table }) => table)
/** Tables with rows about records, none of which a merge or an undo changes or deletes. */
const UNTOUCHED = [
  'assignments',
  'mentions',
  'opinion_asks',
  'follows',
  'inbox_seen',
  'digest_records',
  'passings',
  'audit_log',
  'denied_requests',
  'idempotency_keys',
  'import_files',
  'import_rows',
  'imports',
  'tags',
  'bulk_acts',
  'bulk_rows',
]

const WHERE: Record<string, string> = {
  counters: 'where added <> 0 or mine <> 0',
  pipeline_counts: 'where count <> 0',
}

/** Runs `work`, which must not change a row of the untouched tables. */
async function keepsRows(act: () => Promise<void>) {
  const list = () =>
    Promise.all(
      UNTOUCHED.map((table) => rowsOf<{ row: string }>(test.db, sql`select t::text as row from ${sql.raw(table)} t`)),
    )
  const before = await list()
  await act()
  const after = new Set((await list()).flat().map(({ row }) => row))
  expect(before.flat().filter(({ row }) => !after.has(row))).toEqual([])
}

/** The rows of a table with every listed column. */
async function rowsIn(table: string): Promise<Record<string, unknown>[]> {
  const columns = LISTED.find((data) => data.table === table)?.columns ?? []
  const chosen = columns.map((column) => COMPARED[`${table}.${column}`] ?? COMPARED[column] ?? column).join(', ')
  const where = WHERE[table] ?? ''
  const rows = await rowsOf<{ row: Record<string, unknown> }>(
    test.db,
    sql.raw(`select to_jsonb(one) as row from (select ${chosen} from ${table} ${where}) one`),
  )
  return rows.map(({ row }) =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [
        column,
        column.endsWith('_at') && value !== null && value !== GIVEN ? new Date(String(value)).toISOString() : value,
      ]),
    ),
  )
}

/** Conversions of columns before they are compared. */
const COMPARED: Record<string, string> = {
  'stage_changes.id': `'${GIVEN}' as id`,
  'ended_steps.id': `'${GIVEN}' as id`,
  // `last-activity.test.ts` checks both.
  last_activity_at: `'${GIVEN}' as last_activity_at`,
  last_activity_by: `'${GIVEN}' as last_activity_by`,
  search_grams: `case when search_grams = search_grams(search_text) then 'of ' || search_text end as search_grams`,
  moved: `(select jsonb_object_agg(key, (select coalesce(jsonb_agg(one order by one), '[]') from jsonb_array_elements(value) ids (one)))
    from jsonb_each(moved)) as moved`,
  ...Object.fromEntries(
    [
      ...['merged_at', 'undone_at', 'change_id', 'deleted_at', 'deleted_by', 'changed_at', 'read_at', 'revealed_at'],
      ...['entered_at', 'left_at', 'left_by', 'stage_since', 'stage_spent', 'ended_at'],
      ...['changed_at', 'read_at', 'revealed_at'],
    ].map((column) => [column, `case when ${column} is not null then '${GIVEN}' end as ${column}`]),
  ),
}

/** Sorts the keys of each object. */
const textOf = (row: object) =>
  JSON.stringify(row, (_key, value) =>
    value instanceof Object && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort()) : value,
  )
const sorted = (rows: object[]) => rows.toSorted((one, other) => (textOf(one) < textOf(other) ? -1 : 1))

async function compare({ model, pairs }: World) {
  const expected = tablesOf(model, pairs)
  expect([...Object.keys(expected), ...UNTOUCHED].sort()).toEqual(TABLES.toSorted())
  for (const [table, rows] of Object.entries(expected)) {
    expect([table, sorted(await rowsIn(table))]).toEqual([table, sorted(rows)])
  }
  const { client } = fellows[0] as (typeof fellows)[0]
  await compareLinks(model, client)
  await compareTags(model, client, tags)
}

async function takeAll(world: World, steps: Step[]) {
  for (const [at, given] of steps.entries()) {
    // Few records, so that each of them gets many steps.
    const step: Step = at < FIRST_ADDED ? { ...given, act: 'add', of: at % 2 ? 'founder' : 'company' } : given
    const take = () => world.take(step, at)
    await (step.act === 'merge' || step.act === 'undo' ? keepsRows(take) : take())
  }
}

it('After any adds, notes, finders, links, tags, enrichments, merges, undos, renames, deletions and restores, every listed column of every table equals a plain model', {
  tags: 'slow',
  timeout: TIMEOUT_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 80 }), async (steps) => {
      for (const table of ['records', 'merges']) await test.db.execute(sql.raw(`delete from ${table}`))
      const world = new World({ db: test.db, fellows, importId, pipeline, tags })
      await takeAll(world, steps)
      await compare(world)
    }),
    // A failure names its seed. Shrinking it takes as long as all runs.
    { numRuns: RUNS, endOnFailure: true },
  )
})
