import { describe, expect, it } from 'vitest'
import { readCsv } from './csv.ts'
import { readAll } from './test/read-all.ts'

/** Rows that are as they should be, so that others show as mistakes. */
const GOOD = 'Ada,x,1\nBob,y,2\nCid,z,3\n'
const readRow = async (row: string) => {
  const { rows } = await readAll(`Name,Notes,Rating\n${GOOD}${row}\nEve,w,5\n`)
  return rows.slice(3)
}
const eve = { row: 6, values: ['Eve', 'w', '5'] }

describe('where most rows of a CSV file have as many values as its header', () => {
  it.each([
    ['with a value more', 'Dee,v,4,5', '4 values'],
    ['with an empty value more', 'Dee,,v,', '4 values'],
    ['with a value less', 'Dee,4', '2 values'],
    ['as the last one of a table', 'Total', '1 value'],
    ['with another separator', 'Dee;v;4', '1 value'],
  ])('a row is refused %s', async (_, row, have) => {
    const [dee, ...rest] = await readRow(row)
    expect(dee?.error).toBe(`This row has ${have}, but the file has 3 columns`)
    expect(rest).toEqual([eve])
  })

  it('a refused row keeps all of its values', async () => {
    expect((await readRow('Dee,v,4,5'))[0]?.values).toEqual(['Dee', 'v', '4', '5'])
  })

  it('a row that is refused has all of its faults', async () => {
    expect((await readRow('Dee,v\0,4,5'))[0]?.error).toBe(
      'Notes contains invalid characters. This row has 4 values, but the file has 3 columns',
    )
  })

  it('an empty surplus value of all rows is no fault', async () => {
    const { errors } = await readAll('Name,Notes\nAda,x,\nBob,y,\nCid,z,\nDee,v\n')
    expect(errors).toEqual([null, null, null, 'This row has 2 values, but most rows have 3'])
  })
})

describe('a row of a CSV file is marked', () => {
  it('where a quotation mark closes before other text', async () => {
    expect(await readRow('Dee,"v" w,4')).toEqual([
      { row: 5, values: ['Dee', 'v w', '4'], marks: ['A quotation mark in this row closes before other text'] },
      eve,
    ])
  })

  it('where a quotation mark takes in lines that fit as rows', async () => {
    const [dee, ...rest] = await readRow('Dee,"v,4\nFay,t,6\nGus,s",7')
    expect(dee).toEqual({
      row: 5,
      values: ['Dee', 'v,4\nFay,t,6\nGus,s', '7'],
      marks: ['A quotation mark in this row takes in lines that look like rows of their own'],
    })
    expect(rest).toEqual([eve])
  })

  it('but not where a value has several lines with other separators', async () => {
    expect(await readRow('Dee,"v, and\nw, and\nmore",4')).toEqual([
      { row: 5, values: ['Dee', 'v, and\nw, and\nmore', '4'] },
      eve,
    ])
  })

  it('where a quotation mark ends it, and another one a later line', async () => {
    const { rows } = await readAll('Name,Notes\nAda,x\nBob,y\nDee,"v"\nWell, then"\nEve,w\n')
    expect(rows.map(({ marks }) => marks)).toEqual([
      undefined,
      undefined,
      ['A quotation mark may end this row too early'],
      ['This may be a part of row 4, which has a quotation mark too many or too few'],
      undefined,
    ])
  })

  it('where quotation marks stand inside values, with a separator between them', async () => {
    const [dee] = await readRow('Dee v "x, y" 4')
    expect(dee?.error).toContain('This row has 2 values')
    expect((await readRow('Dee,v "x, y" 4'))[0]?.marks).toEqual([
      'Quotation marks in this row stand inside values, with a separator between them',
    ])
  })

  it('behind one with a quotation mark that is never closed, unless many fit', async () => {
    const [dee, fay, last] = await readRow('Dee,"v,4\nFay,t,6')
    expect(dee?.error).toBe('A quotation mark in this row is never closed')
    expect(dee?.values).toEqual(['Dee', '"v,4', ''])
    const marks = ['This may be a part of row 5, which has a quotation mark too many or too few']
    expect([fay, last]).toEqual([
      { row: 6, values: ['Fay', 't', '6'], marks },
      { row: 7, values: ['Eve', 'w', '5'], marks },
    ])
    const many = await readRow(`Dee,"v,4\n${GOOD}${GOOD}`)
    expect(many.slice(1).every((row) => row.marks === undefined)).toBe(true)
  })
})

describe('a row of a CSV file that is too long', () => {
  const pieces = async function* (...parts: string[]) {
    yield* parts
  }

  it.each([
    ['in one piece of the text', [`Name,Notes\nAda,${'x'.repeat(2_000_000)}\nBob,y\n`]],
    ['in several pieces', ['Name,Notes\nAda,', 'x'.repeat(1_000_000), 'x'.repeat(1_000_000), '\nBob,', 'y\n']],
  ])('is refused alone %s', async (_, parts) => {
    const errors = []
    for await (const { row, error } of readCsv(pieces(...parts), ',')) errors.push([row, error?.slice(0, 45)])
    expect(errors).toEqual([
      [1, undefined],
      [2, 'This row is longer than 2,000,000 characters,'],
      [3, undefined],
    ])
  })
})
