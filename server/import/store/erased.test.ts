import { describe, expect, it } from 'vitest'
import { createXlsx, rowsXml } from '#server/import/read/files/test/create-xlsx.ts'
import {
  act,
  createEmptyApp,
  csv,
  HEADER,
  IN,
  importFile,
  prepare,
  rowsOf,
  settled,
} from '#server/import/test/import-file.ts'
import type { Row } from '#server/merge/test/calls.ts'
import { fellowOf } from '#server/test/fellow.ts'

const test = createEmptyApp()

const fellow = async () => (await fellowOf(test)).client

/** Erases the results of a search for a person that are values of these kinds. */
async function erase(name: string, ...kinds: string[]) {
  const { client } = await fellowOf(test, { role: 'manager' })
  const { body } = await client.post('/api/programme/privacy/search', { names: [name] })
  const refs = body.filter(({ kind }: Row) => kinds.includes(kind)).map(({ ref }: Row) => ref)
  expect(refs).not.toEqual([])
  expect((await client.post('/api/programme/privacy/erase', { refs, reason: 'asked' })).status).toBe(200)
}

let number = 0
/** A file with other addresses each time, because an erasure keeps addresses from coming back. */
function people() {
  number += 1
  const lines = ['Ada Alpha', 'Zoe Ostrander', 'Bea Beta'].map((name, at) => `${name},${IN}p-${number}-${at},Met,7`)
  return csv(HEADER, ...lines)
}
const erased = expect.objectContaining({
  outcome: 'refused',
  canAdd: false,
  faults: [{ sentence: 'This row was erased' }],
})

describe('A row that was erased', () => {
  it('before the run is refused, in the preview and in the run, and creates nothing', { tags: 'slow' }, async () => {
    const client = await fellow()
    const { id } = await prepare(client, people())
    await erase('Zoe Ostrander', 'import_rows')
    const { counts } = await settled(client, id)
    expect(counts).toMatchObject({ created: 2, refused: 1 })
    expect((await rowsOf(client, id))[1]).toEqual(erased)
    const done = await act(client, id, 'run')
    expect(done.counts).toMatchObject({ created: 2, refused: 1 })
    expect((await client.get('/api/founders')).body).toHaveLength(2)
    expect((await rowsOf(client, id))[1]).toEqual(erased)
    const { text } = await client.get(`/api/imports/${id}/refused.csv`)
    expect(text).not.toContain('erased')
    expect((await act(client, id, 'revert')).counts).toMatchObject({ reverted: 2, refused: 1 })
  })

  it('with a record that it would update counts as refused too', { tags: 'slow' }, async () => {
    const client = await fellow()
    await client.post('/api/founders', {
      name: 'Zoe Ostrander',
      linkedIn: `${IN}p-${number + 1}-1`,
      notes: 'n',
      rating: 3,
    })
    const { id, counts } = await prepare(client, people(), { duplicates: 'update' })
    expect(counts).toMatchObject({ created: 2, updated: 1 })
    await erase('Zoe Ostrander', 'record')
    expect((await settled(client, id)).counts).toMatchObject({ created: 2, updated: 0, refused: 1 })
    expect((await act(client, id, 'run')).counts).toMatchObject({ created: 2, updated: 0, refused: 1 })
  })

  it('and waited to be added after the run is refused, and cannot be added', { tags: 'slow' }, async () => {
    const client = await fellow()
    await client.post('/api/founders', { name: 'Zoe Ostrandar', linkedIn: `${IN}other`, notes: 'n' })
    const { id, counts } = await importFile(
      client,
      csv('Name,Notes', 'Ada Alpha,Met', 'Zoe Ostrander,Met', 'Bea Beta,Met'),
    )
    expect(counts).toMatchObject({ created: 2, maybe: 1 })
    await erase('Zoe Ostrander', 'record', 'import_rows')
    expect((await settled(client, id)).counts).toMatchObject({ created: 2, maybe: 0, refused: 1 })
    expect((await client.post(`/api/imports/${id}/add`, { rows: 'all' })).status).toBe(202)
    expect((await settled(client, id)).counts).toMatchObject({ created: 2, maybe: 0, refused: 1 })
  })

  it('after the run stays as it was counted', { tags: 'slow' }, async () => {
    const client = await fellow()
    const { id } = await importFile(client, people())
    await erase('Zoe Ostrander', 'record', 'import_rows')
    expect((await settled(client, id)).counts).toMatchObject({ created: 3, refused: 0 })
  })

  it('of notes is refused too', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test, { role: 'manager' })
    await client.post('/api/founders', { name: 'Ada Alpha', linkedIn: `${IN}ada`, notes: 'n' })
    const lines = ['Ada Alpha,Called her', 'Ada Alpha,Zoe Ostrander said so']
    const { id, counts } = await prepare(client, csv('Founder,Note', ...lines), { kind: 'note' })
    expect(counts).toMatchObject({ created: 2 })
    await erase('Zoe Ostrander', 'import_rows')
    expect((await act(client, id, 'run')).counts).toMatchObject({ created: 1, refused: 1, notes: 1 })
  })
})

describe('The name of a file', () => {
  it('goes with a record of it where a part of the name is in it, and so do its columns', {
    tags: 'slow',
  }, async () => {
    const client = await fellow()
    const names = async (file: string, header: string) => {
      const { id } = await importFile(client, people().replace('Notes', header), undefined, file)
      await erase('Zoe Ostrander', 'record')
      const { name, columns } = await settled(client, id)
      return [name, columns[2]]
    }
    expect(await names('öSTRANDER.csv', 'Notes')).toEqual(['Erased name', 'Notes'])
    expect(await names('fair.csv', 'Notes on Zoë')).toEqual(['fair.csv', 'Column 3'])
    expect(await names('Zoes.csv', 'Notes')).toEqual(['Zoes.csv', 'Notes'])
  })

  it.each([
    ['a record of it', 'record'],
    ['themselves', 'imports'],
  ])('and the names of sheets go with %s', async (_, what) => {
    const client = await fellow()
    const cells = people()
      .split('\n')
      .map((line) => line.split(','))
    const sheets = { People: rowsXml(cells), 'Zoe Ostrander': '' }
    const { id } = await importFile(client, createXlsx({ sheets }), undefined, 'fair.xlsx')
    await erase('Zoe Ostrander', what)
    const { name, dialect } = await settled(client, id)
    const gone = { format: 'xlsx', sheet: 'Erased name', sheets: ['Erased name'], headerRow: 1 }
    expect([name, dialect]).toEqual(['fair.xlsx', gone])
  })

  it('and its columns go when they are erased, as a whole, and the import still runs', { tags: 'slow' }, async () => {
    const client = await fellow()
    const header = 'Name,LinkedIn,Notes,Remarks of Zoe Ostrander'
    const { id } = await prepare(
      client,
      csv(header, `Ada Alpha,${IN}ada,Met,Fine`, `Bea Beta,${IN}bea,Met,Good`),
      undefined,
      'List of Zoe Ostrander.csv',
    )
    await erase('Zoe Ostrander', 'imports')
    const { name, columns } = await settled(client, id)
    expect([name, columns]).toEqual(['Erased name', ['Column 1', 'Column 2', 'Column 3', 'Column 4']])
    expect((await act(client, id, 'run')).counts).toMatchObject({ created: 2 })
    const [record] = (await client.get('/api/founders')).body
    expect(record).toMatchObject({ name: 'Bea Beta', notes: 'Met\nColumn 4: Good' })
  })
})
