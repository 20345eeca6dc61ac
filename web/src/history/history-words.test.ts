import { describe, expect, it } from 'vitest'
import type { HistoryEntry } from '#contract/history.ts'
import { undoableMerge } from './history-words.ts'

const RECORD = 'this'
const entry = (action: HistoryEntry['action'], id: string, duplicateId = 'other') =>
  ({ id, action, ...(action === 'merge' && { merge: { id, duplicateId } }) }) as HistoryEntry

/** Entries are newest first. */
const undoable = (...entries: HistoryEntry[]) => undoableMerge(entries, RECORD)?.id

describe('The merge that can be undone', () => {
  it('is the newest one', () => {
    expect(undoable(entry('update', '3'), entry('merge', '2'), entry('merge', '1'))).toBe('2')
    expect(undoable(entry('update', '1'))).toBeUndefined()
  })

  it('is the one before the undone ones', () => {
    expect(undoable(entry('undo-merge', '3'), entry('merge', '2'), entry('merge', '1'))).toBe('1')
    expect(undoable(entry('undo-merge', '2'), entry('merge', '1'))).toBeUndefined()
    expect(undoable(entry('merge', '3'), entry('undo-merge', '2'), entry('merge', '1'))).toBe('3')
  })

  it('does not exist for a record that was merged away', () => {
    expect(undoable(entry('merge', '1', RECORD))).toBeUndefined()
  })
})
