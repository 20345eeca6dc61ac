import { describe, expect, it } from 'vitest'
import { editDraft } from './edit-draft.ts'

const fields = { notes: 'Met.', rating: 5 }
const typed = { values: { notes: 'Met twice.', rating: 7 }, version: 3 }

describe('The draft of a card', () => {
  it('is stored for the account that typed it, with the version of the record', () => {
    editDraft.keep('ada@mit.edu', 'founder', { id: 'kept', name: 'Ada' }, typed)
    expect(editDraft.read('ada@mit.edu', 'kept', fields)).toEqual(typed)
    expect(editDraft.read('eve@mit.edu', 'kept', fields)).toBeUndefined()
  })

  it('is gone once it is discarded', () => {
    editDraft.keep('ada@mit.edu', 'founder', { id: 'discarded', name: 'Ada' }, typed)
    editDraft.discard('ada@mit.edu', 'discarded')
    expect(editDraft.read('ada@mit.edu', 'discarded', fields)).toBeUndefined()
  })

  it.each([
    ['another field', { values: { notes: 'Met twice.' }, version: 3 }],
    ['another type', { values: { notes: 'Met twice.', rating: '7' }, version: 3 }],
    ['no version', { values: typed.values } as never],
  ])('is ignored when another build of the page stored it with %s', (_, kept) => {
    editDraft.keep('ada@mit.edu', 'founder', { id: 'other', name: 'Ada' }, kept)
    expect(editDraft.read('ada@mit.edu', 'other', fields)).toBeUndefined()
  })
})
