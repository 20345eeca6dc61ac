import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NOTE_MAX } from '#contract/limits.ts'
import { lengthOf } from '#contract/plain-text.ts'
import { splitText } from './split.ts'

const characters = (text: string) => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)

describe('A text longer than a note', () => {
  const pieces = fc.constantFrom(
    ...[
      'word',
      ' ',
      '\n',
      '\r\n',
      '\n\n',
      '. ',
      '。',
      'é',
      'e\u0301',
      '👩‍👩‍👧‍👦',
      '🇩🇪',
      '😀',
      'สวัสดี',
      '\u200d',
      'x'.repeat(40),
      '  ',
    ],
  )
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 300 }).map((parts) => parts.join('')),
    fc.string({ unit: 'grapheme', maxLength: 400 }),
    fc.string({ unit: 'binary', maxLength: 400 }),
  )

  it('is split without losing a character, into parts that fit and are not empty', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 60 }), (text, max) => {
        const parts = splitText(text, max)
        expect(parts.join('')).toBe(text)
        for (const part of parts) {
          expect(part).not.toBe('')
          expect(lengthOf(part)).toBeLessThanOrEqual(max)
        }
      }),
    )
  })

  it('keeps surrogate pairs and characters of several code points whole where they fit', () => {
    const whole = fc.array(pieces, { maxLength: 200 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(whole, (text) => {
        const parts = splitText(text, 50)
        for (const part of parts) expect(part.isWellFormed()).toBe(true)
        if (characters(text).every((one) => lengthOf(one) <= 25)) {
          expect(parts.flatMap(characters)).toEqual(characters(text))
        }
      }),
    )
  })

  it('ends a part at a paragraph, else a line, else a sentence, else a word', () => {
    const [one, two] = ['a'.repeat(30), 'b'.repeat(30)]
    for (const between of ['. c d\ne f\n\n', '. c d\n', ' c. ', ' ']) {
      expect(splitText(`${one}${between}${two}`, 45)).toEqual([`${one}${between}`, two])
    }
    expect(splitText(`${'One two. '.repeat(5)}three four`, 50)).toEqual(['One two. '.repeat(5), 'three four'])
  })

  it('cuts a word or a character only if it is longer than a note', () => {
    expect(splitText('x'.repeat(NOTE_MAX + 1)).map(lengthOf)).toEqual([NOTE_MAX, 1])
    const zalgo = `e${'\u0301'.repeat(2 * NOTE_MAX)}`
    expect(splitText(zalgo).map(lengthOf)).toEqual([NOTE_MAX, NOTE_MAX, 1])
    expect(splitText('😀'.repeat(NOTE_MAX + 1)).map(lengthOf)).toEqual([NOTE_MAX, 1])
  })

  it('of up to a thousand characters is one part', () => {
    expect(splitText('😀'.repeat(NOTE_MAX))).toHaveLength(1)
    expect(splitText('')).toEqual([])
  })
})
