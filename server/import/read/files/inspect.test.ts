import { describe, expect, it } from 'vitest'
import { inspectFile } from './inspect.ts'
import { createXlsx, rowsXml } from './test/create-xlsx.ts'
import { refusalOf } from './test/read-all.ts'

const inspect = async (text: string) => (await inspectFile(Buffer.from(text))).inspection

describe('the inspection of a file', () => {
  it('has the first three different values of each column', async () => {
    const { samples } = await inspect('Name,City,Notes\nAda,Bonn,\nBob,Bonn,\nCid,Köln,x\nDee,Ulm,\nEve,Trier,\n')
    expect(samples).toEqual([['Ada', 'Bob', 'Cid'], ['Bonn', 'Köln', 'Ulm'], ['x']])
  })

  it('takes no values from rows that cannot be imported', async () => {
    const { samples, rows } = await inspect('Name,City\nAda,Bonn\nBob,Ulm\nCid,x,Köln\n')
    expect(samples[1]).toEqual(['Bonn', 'Ulm'])
    expect(rows).toBe(3)
  })

  it('names the columns with the same value in all rows', async () => {
    const { constant } = await inspect('Name,List,City,Empty\nAda,People,Bonn,\nBob,People,,\n')
    expect(constant).toEqual([1, 3])
    expect((await inspect('Name,List\nAda,People\n')).constant).toEqual([])
  })

  it('counts rows without blank ones, up to the first that is too many', { tags: 'slow' }, async () => {
    expect((await inspect('Name,City\nAda,Bonn\n\n,\nBob,Ulm\n')).rows).toBe(2)
    expect((await inspect(`Name\n${'Ada\n'.repeat(200_500)}`)).rows).toBe(200_001)
  })

  it('of a file without rows has the count 0, and reading it ends with a sentence', async () => {
    expect(await inspect('Name,City\n')).toMatchObject({ rows: 0, samples: [[], []], constant: [], dates: {} })
    expect(await refusalOf('Name,City\n')).toContain('no rows below')
  })

  it.each([
    ['any value proves day-first', ['03/04/2026', '31/01/2026'], 'day-first', '03/04/2026'],
    ['any value proves month-first', ['3-4-2026', '1-31-2026 10:30'], 'month-first', '3-4-2026'],
    ['no value proves an order', ['3.4.26', '', 'n/a', '1.2.26'], 'either', '3.4.26'],
    ['values contradict each other', ['31/1/2026', '1/31/2026', '03/04/2026'], 'either', '03/04/2026'],
    ['no value can be read in two ways', ['31/01/2026'], 'day-first', '31/01/2026'],
  ])('has the order of dates: %s', async (_, values, order, example) => {
    const { dates } = await inspect(`Name,Added,City\n${values.map((value) => `Ada,${value},Bonn\n`).join('')}`)
    expect(dates).toEqual({ 1: { order, example } })
  })

  it('has no order where a column has no such dates', async () => {
    const { dates } = await inspect(
      'Name,Added\nAda,2026-03-04\nBob,45/01/2026\nCid,5 March 2026\nDee,1.2.3.4\nEve,13/14/2026\n',
    )
    expect(dates).toEqual({})
  })
})

describe('the way to read a file is certain', () => {
  it.each([
    ['with known names of columns', 'Name,LinkedIn\nAda,x\nBob,y\n'],
    ['with a single column', 'Name\nAda\nBob\n'],
    ['below other lines', 'Export\n\nName;LinkedIn\nAda;x\nBob;y\n'],
  ])('%s', { tags: 'slow' }, async (_, text) => {
    expect((await inspect(text)).isCertain).toBe(true)
  })

  it.each([
    ['without known names of columns', 'Ada Lovelace,Bonn\nBob Baker,Ulm\n'],
    ['where two separators fit', 'Name,LinkedIn;Notes,City\nAda,x;y,z\nBob,x;y,z\n'],
  ])('but not %s', async (_, text) => {
    expect((await inspect(text)).isCertain).toBe(false)
  })

  it('in a workbook with one visible sheet alone', async () => {
    const sheet = rowsXml([
      ['Name', 'LinkedIn'],
      ['Ada', 'x'],
    ])
    const isCertain = async (sheets: Record<string, string>) =>
      (await inspectFile(createXlsx({ sheets }))).inspection.isCertain
    expect(await isCertain({ People: sheet })).toBe(true)
    expect(await isCertain({ People: sheet, More: sheet })).toBe(false)
  })

  it('once a person has chosen it', async () => {
    const file = Buffer.from('Ada Lovelace,Bonn\nBob Baker,Ulm\n')
    const { dialect } = await inspectFile(file)
    expect((await inspectFile(file, dialect)).inspection.isCertain).toBe(true)
  })
})
