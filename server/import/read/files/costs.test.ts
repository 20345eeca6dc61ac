import { describe, expect, it } from 'vitest'
import { csvSample } from './csv.ts'
import { readRows } from './read.ts'
import { UnreadableFile } from './unreadable-file.ts'

/** Files that are slow if anything is searched or parsed again from its start: their beginning, and what repeats. */
const files: [string, string, string][] = [
  ['a row of separators', 'a', ','],
  ['a long value', 'a,', 'x'],
  ['an unclosed quotation mark', 'a,"', 'Ada,x some notes\n'],
  ['values that all reach into the next line', 'a,"x\n', 'x","x\n'],
  ['values that all reach into the next line, and do not fit', 'a,"x\n', 'x","x,"",""\n'],
  ['rows of three quotation marks', '', '"""\n'],
  ['separators and quotation marks', 'a', ',"'],
  ['a quotation mark in each line', 'a,b\n', '"\n'],
  ['quotation marks far from each other', '', `"a"b,c\n${'d,e\n'.repeat(3_000)}`],
  ['rows that a quotation mark takes in', '', `"${'a,b\n'.repeat(20_000)}"x,b\n`],
  ['a value of line breaks', 'a,"', '\n'],
  ['carriage returns', 'a,b', '\r'],
]

const read = async (file: Buffer, format: 'csv' | 'jsonl') => {
  const began = process.threadCpuUsage()
  const csv = { format: 'csv', encoding: 'utf-8', separator: ',', headerRow: 1 } as const
  try {
    for await (const _ of readRows(file, format === 'csv' ? csv : { format }));
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
  }
  const { user, system } = process.threadCpuUsage(began)
  return (user + system) / 1000
}

/** Between four and sixteen: other tests take the caches of the processor. */
const GROWTH_MAX = 8

/** The processor time of four times the bytes is about four times as long; it would be sixteen times with a search of its own for each byte. */
async function growth(format: 'csv' | 'jsonl', start: string, part: string) {
  const file = (bytes: number) => Buffer.from(start + part.repeat(bytes / part.length))
  const times = []
  for (const bytes of [240_000, 240_000, 960_000, 960_000]) times.push(await read(file(bytes), format))
  const [first = 0, second = 0, third = 0, fourth = 0] = times
  const NOISE_MS = 30
  return Math.min(third, fourth) / (Math.min(first, second) + NOISE_MS)
}

describe('the time of reading grows with the bytes alone', () => {
  it.each(files)('with %s', { tags: 'slow' }, async (_, start, part) => {
    expect(await growth('csv', `Name,Notes\n${start}`, part)).toBeLessThan(GROWTH_MAX)
  })

  it('behind a row that is too long, because all of its values reach into the next line', {
    tags: 'slow',
  }, async () => {
    const file = Buffer.from(`Name,Notes\na,"x\n${'x","x\n'.repeat(400_000)}`)
    // Minutes, if each line were searched for the length of a row.
    expect(await read(file, 'csv')).toBeLessThan(20_000)
  })

  it('with a long line of JSON', async () => {
    expect(await growth('jsonl', '{"name":"Ada"}\n{"name":"', 'x')).toBeLessThan(GROWTH_MAX)
  })

  it('and no value beyond the columns that an import may have is kept', () => {
    const [row] = csvSample(`a${',b'.repeat(500_000)}\n`, ',')
    expect(row?.values.length).toBe(200)
    expect(row).toMatchObject({ width: 500_001, beyond: 500_001 })
  })
})
