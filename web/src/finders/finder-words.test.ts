import { expect, it } from 'vitest'
import { finderSentence, othersWords } from './finder-words.ts'

it('The finders of a record are named, first finder first', () => {
  const sentence = (...names: string[]) => finderSentence({ names, count: names.length, mine: false })
  expect(sentence('Maya')).toBe('Found by Maya')
  expect(sentence('Maya', 'Jonas')).toBe('Found by Maya and Jonas')
  expect(finderSentence({ names: ['Maya', 'Jonas', 'Li'], count: 4, mine: true })).toBe(
    'Found by Maya, Jonas, Li and 1 other',
  )
  expect(sentence()).toBe('Added')
})

it('Beside faces the first finder is named, and the others are counted', () => {
  expect([1, 56].map(othersWords)).toEqual(['and 1 other', 'and 56 others'])
})
