import { describe, expect, it } from 'vitest'
import { NoteInput } from '#contract/note.ts'
import { editNote, inputOf, joinNotes, mentionFellow, NO_NOTE, namingAt, type TypedNote } from './typed-note.ts'

const ADA = { id: '01900000-0000-7000-8000-00000000000a', name: 'Ada Lovelace', email: 'ada@mit.edu' }
const TOM = { id: '01900000-0000-7000-8000-00000000000b', name: '', email: 'tom@mit.edu' }

const typed = (text: string): TypedNote => ({ text, mentions: [] })
/** Names a fellow where the text has `@`. */
const named = (text: string, fellow = ADA, note = typed(text)) =>
  mentionFellow(note, { at: text.indexOf('@'), caret: text.indexOf('@') + 1, fellow })
const shown = ({ text, mentions }: TypedNote) => mentions.map(({ at, length }) => text.slice(at, at + length))

/** What a person changes: `from` to `to` becomes `by`, and the caret stands behind it. */
const change = (note: TypedNote, from: number, to: number, by: string) =>
  editNote(note, note.text.slice(0, from) + by + note.text.slice(to), from + by.length)

describe('The name that is typed', () => {
  it.each([
    ['@', 0, ''],
    ['Ask @ad', 4, 'ad'],
    ['Ask (@Ada Lo', 5, 'Ada Lo'],
    ['One\n@a', 4, 'a'],
    ['Émile @é', 6, 'é'],
  ])('is what stands between @ and the caret in %j', (text, at, name) => {
    expect(namingAt(typed(text), text.length)).toEqual({ at, typed: name })
  })

  it.each(['ada@mit.edu', 'Ask', 'Meet @ five', 'Ask @ada\n', 'https://x.org/@ada', ''])('is none in %j', (text) => {
    expect(namingAt(typed(text), text.length)).toBeUndefined()
  })

  it('is none in a mention, and none behind one', () => {
    const { note, caret } = named('@')
    for (const place of [3, 13, caret]) expect(namingAt(note, place)).toBeUndefined()
  })
})

describe('A mention', () => {
  it('takes the place of what was typed, and the caret stands behind a space', () => {
    const chosen = mentionFellow(typed('Ask @lov, please'), { at: 4, caret: 8, fellow: ADA })
    expect(chosen).toEqual({
      note: { text: 'Ask @Ada Lovelace , please', mentions: [{ id: ADA.id, at: 4, length: 13 }] },
      caret: 18,
    })
    expect(named('Ask @ then').caret).toBe(18)
    expect(named('Ask @ then').note.text).toBe('Ask @Ada Lovelace then')
    expect(shown(named('@', TOM).note)).toEqual(['@tom@mit.edu'])
  })

  it('stays right while the text before it is edited', () => {
    const { note } = named('Ask @')
    for (const [from, to, by] of [
      [0, 0, 'Please a'],
      [0, 3, ''],
      [4, 4, '@'],
      [0, 4, ''],
      [4, 4, '\u{1f98a}'],
    ] as const) {
      expect(shown(change(note, from, to, by))).toEqual(['@Ada Lovelace'])
    }
  })

  it('stays right while the text behind it is edited', () => {
    const { note } = named('Ask @')
    for (const [from, to, by] of [
      [17, 18, ''],
      [17, 17, '’s'],
      // As its last letter is.
      [17, 17, 'e'],
      [18, 18, 'now'],
    ] as const)
      expect(change(note, from, to, by).mentions).toEqual(note.mentions)
  })

  it('that is edited is no longer one', () => {
    const { note } = named('Ask @')
    for (const [from, to, by] of [
      [16, 17, ''],
      [8, 8, 'x'],
      [4, 5, ''],
      [0, 6, ''],
      [0, 18, 'All of it'],
    ] as const) {
      expect(change(note, from, to, by).mentions).toEqual([])
    }
  })

  it('stays right when the browser takes back a change elsewhere', () => {
    const { note } = named('Ask @')
    expect(shown(editNote(note, 'Do Ask @Ada Lovelace ', 1))).toEqual(['@Ada Lovelace'])
    expect(editNote(note, note.text, 6)).toEqual(note)
    expect(shown(editNote(note, 'Ask @Ada Lovelace now', 2))).toEqual(['@Ada Lovelace'])
  })

  it('stays right beside others, and is sent in their order', () => {
    const first = named('@').note
    const both = mentionFellow(
      { ...first, text: `@${first.text}`, mentions: [{ id: ADA.id, at: 1, length: 13 }] },
      { at: 0, caret: 1, fellow: TOM },
    ).note
    expect(shown(both)).toEqual(['@tom@mit.edu', '@Ada Lovelace'])
    expect(shown(change(both, 2, 3, ''))).toEqual(['@Ada Lovelace'])
  })

  it('is sent in code points of the trimmed text', () => {
    const note = named('  \u{1f98a} @').note
    expect(inputOf(note)).toEqual({
      content: '\u{1f98a} @Ada Lovelace',
      mentions: [{ id: ADA.id, at: 2, length: 13 }],
    })
    expect(NoteInput.safeParse(inputOf(note)).success).toBe(true)
    expect(inputOf(typed(' plain '))).toEqual({ content: 'plain' })
  })

  it('moves with its note when two are joined', () => {
    const { note } = named('Ask @')
    const joined = joinNotes(note, NO_NOTE, typed('and'), named('\u{1f98a} @', TOM).note)
    expect(shown(joined)).toEqual(['@Ada Lovelace', '@tom@mit.edu'])
    expect(joined.text.split('\n\n')).toHaveLength(3)
  })
})
