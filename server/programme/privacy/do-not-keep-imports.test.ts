import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { rowsOf as rows } from '#server/db/database.ts'
import { importFiles, importRows, imports } from '#server/db/schema.ts'
import {
  act,
  createEmptyApp,
  csv,
  IN,
  importFile,
  NONE,
  prepare,
  rowsOf,
  settled,
} from '#server/import/test/import-file.ts'
import { whileHeld } from '#server/test/held.ts'
import { createWorld, other, person, REFUSED } from './test/listed.ts'

const test = createEmptyApp()
let ann: Awaited<ReturnType<typeof createWorld>>['ann']
let manager: typeof ann
let { add, patch, get, list } = {} as Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  ;({ ann, manager, add, patch, get, list } = await createWorld(test))
})

describe('An import', () => {
  const file = (...lines: string[]) => csv('Name,LinkedIn,Email,Notes', ...lines)
  const storedRows = (id: string) =>
    test.db.select().from(importRows).where(eq(importRows.importId, id)).orderBy(importRows.row)
  const WITHHELD = { outcome: 'refused', cells: [], marks: [], before: null, after: null, isWithheld: true }
  const hasFile = async (id: string) => (await test.db.$count(importFiles, eq(importFiles.importId, id))) > 0

  it('refuses such rows, keeps none of their values, deletes its file after the run, and leaves them out of the refused file', {
    tags: 'slow',
  }, async () => {
    const { linkedIn, email } = person()
    await list({ linkedIn, email })
    const lines = [
      `Gone Alpha,${linkedIn},,planted a`,
      `Gone Beta,,Beta <${email}>,planted b`,
      `,${linkedIn},,planted c`,
      `Kept Gamma,${other()},,fine`,
      ',,,refused as nameless',
    ]
    const ready = await prepare(ann.client, file(...lines))
    expect(ready.counts).toEqual({ ...NONE, created: 1, refused: 4 })
    const shown = await rowsOf(ann.client, ready.id, 'outcome=refused')
    expect(shown.slice(0, 3)).toMatchObject(
      [2, 3, 4].map((row) => ({ row, values: {}, canAdd: false, faults: [{ sentence: REFUSED.body.error }] })),
    )
    const done = await act(ann.client, ready.id, 'run')
    expect([done.state, done.counts]).toEqual(['done', { ...NONE, created: 1, refused: 4 }])
    expect((await storedRows(ready.id)).slice(0, 3)).toMatchObject([WITHHELD, WITHHELD, WITHHELD])
    expect(await hasFile(ready.id)).toBe(false)
    const refused = (await ann.client.get(`/api/imports/${ready.id}/refused.csv`)).text
    expect(refused).toContain('refused as nameless')
    const [{ text } = { text: '' }] = await rows<{ text: string }>(
      test.db,
      sql`select concat(imports::text, (select string_agg(import_rows::text, '') from import_rows where import_id = imports.id)) as text
        from imports where id = ${ready.id}`,
    )
    for (const gone of [email, 'gone-', 'planted', 'Alpha']) expect(refused + text).not.toContain(gone)
  })

  it('keeps its file where no row is refused for that', { tags: 'slow' }, async () => {
    const done = await importFile(ann.client, file(`Kept Delta,${other()},,fine`))
    expect(await hasFile(done.id)).toBe(true)
  })

  it('checks rows again when it runs: those that create, fill and update, and those that are refused', {
    tags: 'slow',
  }, async () => {
    const [one, two, three, four] = [person(), person(), person(), person()]
    const [filled, updated] = [await add({ linkedIn: other() }), await add({ linkedIn: other() })]
    const lines = [
      `New Epsilon,${one.linkedIn},,planted`,
      `${filled.name},${filled.linkedIn},${two.email},planted`,
      `${updated.name},${updated.linkedIn},${three.email},planted`,
      `,,${four.email},planted`,
    ]
    const ready = await prepare(ann.client, file(...lines), { duplicates: 'update' })
    expect(ready.counts).toMatchObject({ created: 1, updated: 2, refused: 1 })
    await list({ linkedIn: one.linkedIn, email: two.email })
    await list({ email: three.email })
    await list({ email: four.email })
    const done = await act(ann.client, ready.id, 'run')
    expect([done.state, done.counts]).toEqual(['done', { ...NONE, refused: 4 }])
    expect(await storedRows(ready.id)).toMatchObject([WITHHELD, WITHHELD, WITHHELD, WITHHELD])
    for (const record of [filled, updated]) expect((await get(record)).version).toBe(record.version)
    expect(await hasFile(ready.id)).toBe(false)
  })

  it('checks rows once more in the transaction that writes them, after they were planned', {
    tags: 'slow',
  }, async () => {
    const { linkedIn } = person()
    const ready = await prepare(ann.client, file(`New Eta,${linkedIn},,planted`))
    await whileHeld(
      test.db,
      sql`lock table records in access exclusive mode`,
      () => ann.client.post(`/api/imports/${ready.id}/run`),
      {
        meanwhile: (tx) =>
          tx.execute(
            sql`insert into do_not_keep (hash, erasure_id) select hash, gen_random_uuid() from keyed_hashes(array[${`in ${linkedIn.slice(IN.length)}`}])`,
          ),
      },
    )
    const done = await settled(ann.client, ready.id)
    expect([done.state, done.counts]).toEqual(['done', { ...NONE, refused: 1 }])
  })

  it('fills no empty field with it', { tags: 'slow' }, async () => {
    const { email } = person()
    const record = await add()
    await list({ email })
    const done = await importFile(ann.client, file(`${record.name},${record.linkedIn},${email},`), {
      duplicates: 'fill',
    })
    expect(done.counts).toEqual({ ...NONE, refused: 1 })
    expect((await get(record)).additionalInfo).toBeNull()
  })

  it('refuses a row that is added after the run', { tags: 'slow' }, async () => {
    const { email } = person()
    const record = await add({ name: 'Wilhelmina Oppenheimer' })
    const done = await importFile(ann.client, file(`${record.name.replace('pp', 'p')},,${email},planted`))
    expect(done.counts).toMatchObject({ maybe: 1 })
    await list({ email })
    expect((await ann.client.post(`/api/imports/${done.id}/add`, { rows: 'all' })).status).toBe(202)
    expect((await settled(ann.client, done.id)).counts).toMatchObject({ maybe: 0, created: 0, refused: 1 })
    expect(await storedRows(done.id)).toMatchObject([WITHHELD])
    expect(await hasFile(done.id)).toBe(false)
  })

  it('reverts no value to it', { tags: 'slow' }, async () => {
    const { linkedIn, email } = person()
    const record = (await patch(await add({ linkedIn }), { email })).body
    const done = await importFile(ann.client, file(`${record.name},${linkedIn},x${email},`), { duplicates: 'update' })
    expect(done.counts).toMatchObject({ updated: 1 })
    await list({ email })
    const reverted = await act(ann.client, done.id, 'revert')
    expect([reverted.state, reverted.counts.kept]).toEqual(['reverted', 1])
    expect(JSON.parse((await get(record)).additionalInfo).email).toBe(`x${email}`)
  })

  it('of notes refuses those about such a person', { tags: 'slow' }, async () => {
    const { linkedIn } = person()
    await list({ linkedIn })
    const done = await importFile(manager.client, csv('Record,Address,Text', `Gone Zeta,${linkedIn},planted`), {
      kind: 'note',
    })
    expect(done.counts).toMatchObject({ refused: 1 })
    expect(await storedRows(done.id)).toMatchObject([WITHHELD])
    expect(await test.db.select({ at: imports.doubts }).from(imports).where(eq(imports.id, done.id))).toEqual([
      { at: {} },
    ])
  })
})
