import { describe, expect, it } from 'vitest'
import { keptSentence } from './kept-words.ts'

const labels = { current_title: 'title' }

describe('What stayed on the survivor after an undo', () => {
  it('is counted by what it is and why', () => {
    const added = { what: 'note', id: '1', reason: 'Added after the merge' }
    expect(keptSentence([added, { ...added, id: '2' }, { ...added, what: 'finder' }], labels)).toBe(
      '2 notes (added after the merge), 1 finder (added after the merge)',
    )
  })

  it('has fields under their labels', () => {
    const changed = { id: '1', reason: 'Changed after the merge' }
    expect(keptSentence([{ what: 'current_title', ...changed }], labels)).toBe('title (changed after the merge)')
    expect(keptSentence([{ what: 'linkedIn', ...changed }], labels)).toBe('LinkedIn (changed after the merge)')
  })

  it('is empty when everything is as before', () => {
    expect(keptSentence([], labels)).toBe('')
  })
})
