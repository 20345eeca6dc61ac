import { describe, expect, it } from 'vitest'
import { EXPORT_COLUMNS, LINE_COLUMNS } from '#contract/export.ts'
import { readAll, refusalOf } from './test/read-all.ts'

describe('a JSON Lines file', () => {
  it('is read as the export writes it, with notes and finders as JSON', async () => {
    const notesThread = [{ author: 'Tom', content: 'a\nb', createdAt: '2026-01-01T00:00:00.000Z' }]
    const record = { name: "'Ada", linkedIn: null, rating: 7, notes: '=x', notesThread, finders: [] }
    const { columns, rows } = await readAll(`${JSON.stringify(record)}\n\n{"name":"Bob"}`)
    const value = (name: string) => rows[0]?.values[columns.indexOf(name)]
    expect(rows.map(({ row }) => row)).toEqual([1, 3])
    expect([value('name'), value('linkedIn'), value('rating'), value('notes')]).toEqual(["'Ada", '', '7', '=x'])
    expect(JSON.parse(value('notesThread') ?? '')).toEqual(notesThread)
    expect(value('finders')).toBe('[]')
  })

  it('of an older export, with fewer keys, is read alike', async () => {
    const { columns, values } = await readAll('{"name":"Ada","linkedIn":null,"rating":7}\n')
    expect(columns).toEqual([...EXPORT_COLUMNS, 'additionalInfo', 'notesThread', 'finders', ...LINE_COLUMNS])
    expect(Object.fromEntries(columns.map((column, at) => [column, values[0]?.[at]]))).toEqual({
      ...Object.fromEntries(columns.map((column) => [column, ''])),
      ...{ name: 'Ada', rating: '7' },
    })
  })

  it('that is not UTF-8 has an error for each row with other characters', async () => {
    const { errors } = await readAll(Buffer.from('{"name":"Ada"}\n{"name":"Jos\xe9"}\n', 'latin1'))
    expect(errors).toEqual([null, 'This row has characters that the chosen encoding does not have'])
  })

  it('has an error for each line that is not an object', async () => {
    const { errors } = await readAll(`{"name":"Ada"}\n{"name":"Bo\n[1]\n${'['.repeat(100_000)}\n{"name":"Cid"}`)
    const broken = 'This line is not a JSON object'
    expect(errors).toEqual([null, broken, broken, broken, null])
  })

  it('has an error for a line of 5 MB', async () => {
    const { rows, errors } = await readAll(`{"name":"Ada"}\n{"name":"${'x'.repeat(5_000_000)}"}\n{"name":"Cid"}`)
    expect(errors).toEqual([null, 'This row is longer than 2,000,000 characters', null])
    expect(rows[2]?.row).toBe(3)
  })

  it.each(['[{"name":"Ada"}]', '[\n  {\n    "name": "Ada"\n  }\n]', '{\n  "name": "Ada"\n}', '{"people":[]}'])(
    'cannot be other JSON: %j',
    async (file) => {
      expect(await refusalOf(file)).toContain('one JSON object with a name on each line')
    },
  )
})
