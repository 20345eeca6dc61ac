import { describe, expect, it } from 'vitest'
import { founderFields } from '#contract/founder-fields.ts'
import { keptSentence } from './undo-outcome-text.ts'

describe('The data that an undo keeps on the survivor', () => {
  it('is counted by type and reason', () => {
    const added = { what: 'note', id: '1', reason: 'Added after the merge' }
    expect(
      keptSentence(
        [added, { ...added, id: '2' }, { ...added, what: 'finder' }, { ...added, what: 'reminder' }],
        founderFields,
      ),
    ).toBe('2 notes (added after the merge), 1 finder (added after the merge), 1 reminder (added after the merge)')
  })

  it('has fields under their labels', () => {
    const changed = { id: '1', reason: 'Changed after the merge' }
    expect(keptSentence([{ what: 'current_title', ...changed }], founderFields)).toBe('title (changed after the merge)')
    expect(keptSentence([{ what: 'linkedIn', ...changed }], founderFields)).toBe('LinkedIn (changed after the merge)')
  })

  it('is empty when nothing is kept', () => {
    expect(keptSentence([], founderFields)).toBe('')
  })
})
