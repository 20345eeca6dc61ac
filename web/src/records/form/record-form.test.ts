import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { RecordRow } from '#web/records/record-row.ts'
import { editedValues, patchOf, type RecordForm } from './record-form.ts'

const form = {
  Patch: z.object({ notes: z.string(), rating: z.number(), version: z.number() }),
} as unknown as RecordForm
const record = (isRated: boolean) => ({ notes: 'Met', rating: 5, isRated, version: 1 }) as unknown as RecordRow

describe('An edit of a record', () => {
  it('sends its rating', () => {
    expect(patchOf(editedValues(form, record(true)))).toEqual({ notes: 'Met', rating: 5 })
  })

  it('that is not rated sends none until a person chooses one', () => {
    const values = editedValues(form, record(false))
    expect(patchOf(values)).toEqual({ notes: 'Met' })
    expect(patchOf({ ...values, rating: 5 })).toEqual({ notes: 'Met', rating: 5 })
  })
})
