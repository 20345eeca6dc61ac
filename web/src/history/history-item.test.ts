import { MantineProvider } from '@mantine/core'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, it } from 'vitest'
import type { HistoryEntry } from '#contract/history.ts'
import { founderKind } from '#web/founders/kind.ts'
import { HistoryItem } from './history-item.tsx'
import { remarkOf } from './history-words.ts'

const THIS = '01900000-0000-7000-8000-000000000001'
const OTHER = '01900000-0000-7000-8000-000000000002'

/** The sentence of an entry in the history of a founder, and the path of its link. */
function shown(
  action: HistoryEntry['action'],
  sentence: string,
  { name = 'Ada', duplicateId = OTHER }: Record<string, string | null> = {},
) {
  const entry = {
    ...{
      id: '3',
      at: '2026-01-01T00:00:00.000Z',
      by: 'Maya',
      action,
      sentence,
      changes: [],
      other: { id: OTHER, name },
    },
    ...(action === 'merge' && { merge: { id: '4', duplicateId } }),
  } as HistoryEntry
  const of = { kind: founderKind, id: THIS, name: 'Grace' }
  const item = createElement(HistoryItem, { entry, of, isBusy: false, putBack: undefined })
  const page = renderToStaticMarkup(createElement(MantineProvider, null, createElement(MemoryRouter, null, item)))
  const text = page
    .slice(page.indexOf('<p'), page.indexOf('<time'))
    .replaceAll(/<[^>]*>/g, '')
    .trim()
  return [text, /href="([^"]*)"/.exec(page)?.[1]]
}

describe('An entry of the history', () => {
  it.each(['add-link', 'update-link', 'delete-link'] as const)(
    'of %s names the other record, as a link to its page',
    (action) => {
      expect(shown(action, 'changed the link to {other}')).toEqual([
        'Maya changed the link to Ada',
        `/companies/${OTHER}`,
      ])
    },
  )

  it('of a merge names the other record, as a link to its page if it has one', () => {
    const into = 'merged {other} into this record'
    expect(shown('merge', into)).toEqual(['Maya merged Ada into this record', undefined])
    expect(shown('merge', 'merged this record into {other}', { duplicateId: THIS })).toEqual([
      'Maya merged this record into Ada',
      `/founders/${OTHER}`,
    ])
    expect(shown('undo-merge', 'undid the merge with {other}')[1]).toBe(`/founders/${OTHER}`)
  })

  it('without another record is its sentence', () => {
    expect(shown('add-tag', 'added a tag')).toEqual(['Maya added a tag', undefined])
  })

  it('says that it is part of an act on many records, or of its undo', () => {
    const remark = (isUndo: boolean) => remarkOf({ bulk: { id: OTHER, isUndo } } as HistoryEntry)
    expect([remark(false), remark(true)]).toEqual(['Done in bulk.', 'Undone in bulk.'])
  })

  it('has no name and no link of a deleted record', () => {
    for (const action of ['delete-link', 'merge'] as const) {
      expect(shown(action, 'changed {other}', { name: null })).toEqual(['Maya changed a deleted record', undefined])
    }
  })
})
