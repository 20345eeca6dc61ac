import { describe, expect, it } from 'vitest'
import type { RecordRow } from '#web/records/record-row.ts'
import { bothInOrder, differencesIn, mergeInput } from './choices.ts'

const record = (id: string, createdAt: string) => ({ id, version: Number(id), createdAt }) as unknown as RecordRow
const both = bothInOrder(record('2', '2026-02-01T00:00:00Z'), record('1', '2026-01-01T00:00:00Z'))

describe('Two records in a merge', () => {
  it('are in the order in which they were found', () => {
    expect([both.first.id, both.second.id]).toEqual(['1', '2'])
  })

  it('are named in the call as survivor and duplicate', () => {
    const choices = { name: 'second', rating: 'first', notes: 'both' } as const
    const versions = { 1: 1, 2: 2 }
    expect(mergeInput(both, 'first', choices)).toEqual({
      ...{ survivorId: '1', duplicateId: '2', versions },
      choices: { name: 'duplicate', rating: 'survivor', notes: 'both' },
    })
    expect(mergeInput(both, 'second', choices)).toEqual({
      ...{ survivorId: '2', duplicateId: '1', versions },
      choices: { name: 'survivor', rating: 'duplicate', notes: 'both' },
    })
  })

  it('have the same differences whichever of them a preview keeps', () => {
    const differences = [
      { field: 'name', first: 'Ada', second: 'Ada L.', proposed: 'second' },
      { field: 'notes', first: 'Met.', second: 'Met again.', proposed: 'both' },
    ]
    const preview = (record: RecordRow, [survivor, duplicate]: ['first' | 'second', 'first' | 'second']) =>
      differencesIn(
        {
          ...{ canChoose: true, notesFit: true, record },
          differences: differences.map(({ field, ...values }) => ({
            ...{ field, survivor: values[survivor], duplicate: values[duplicate] },
          })),
          proposed: { name: survivor === 'second' ? 'survivor' : 'duplicate', notes: 'both' },
        },
        both,
      )
    expect(preview(both.first, ['first', 'second'])).toEqual(differences)
    expect(preview(both.second, ['second', 'first'])).toEqual(differences)
  })
})
