import { expect, it } from 'vitest'
import {
  act,
  createEmptyApp,
  csv,
  importFile,
  NONE,
  prepare,
  recordsOf,
  upload,
} from '#server/import/test/import-file.ts'
import { fellowOf } from '#server/test/fellow.ts'

const test = createEmptyApp()

const FILE = csv('Ada Lovelace,Bonn,8', 'Bob Stone,"Ulm, later",high', ',Köln,7')
const dialect = { format: 'csv', encoding: 'utf-8', separator: ',', headerRow: 0 } as const
const patch = { dialect, kind: 'founder', mapping: { name: 0, rating: 2 } } as const

it('A file whose first row is data is imported from its first row on, and its columns have numbers', {
  tags: 'slow',
}, async () => {
  const { client } = await fellowOf(test)
  const { done, list } = await recordsOf(client, FILE, patch)
  expect(done).toMatchObject({
    columns: ['Column 1', 'Column 2', 'Column 3'],
    counts: { created: 2, refused: 1, marked: 1 },
  })
  expect(list.map(({ name, notes }: { name: string; notes: string }) => [name, notes])).toEqual([
    ['Bob Stone', 'Column 2: Ulm, later\nColumn 3: high'],
    ['Ada Lovelace', 'Column 2: Bonn'],
  ])
})

it('Its refused rows come back without a header, and land once when they are mended and imported again', {
  tags: 'slow',
}, async () => {
  const { client } = await fellowOf(test)
  const { id } = await importFile(client, FILE, patch)
  const refused = (await client.get(`/api/imports/${id}/refused.csv`)).text.replace('\ufeff', '')
  expect(refused).toBe(',Köln,7,reason: Column 1: Name is required\r\n')
  const again = await prepare(client, refused.replace(',', 'Cid Cole,'), patch)
  expect(again).toMatchObject({
    columns: ['Column 1', 'Column 2', 'Column 3', 'reason'],
    rest: { 1: 'notes', 3: 'drop' },
  })
  expect((await act(client, again.id, 'run')).counts).toEqual({ ...NONE, created: 1 })
  const unmended = await importFile(client, refused, patch)
  expect((await client.get(`/api/imports/${unmended.id}/refused.csv`)).text).toContain(
    ',Köln,7,reason: Column 1: Name is required\r\n',
  )
  expect((await client.get('/api/founders?search=cid')).body).toMatchObject([{ notes: 'Column 2: Köln', rating: 7 }])
})

it('A row of the column names that is negative or a fraction is refused', async () => {
  const { client } = await fellowOf(test)
  const { body } = await upload(client, FILE)
  for (const headerRow of [-1, 0.5]) {
    const { status } = await client.patch(`/api/imports/${body.id}`, { dialect: { ...dialect, headerRow } })
    expect([headerRow, status]).toEqual([headerRow, 400])
  }
})
