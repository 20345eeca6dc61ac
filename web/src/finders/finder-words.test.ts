import { expect, it } from 'vitest'
import { finderSentence } from './finder-words.ts'

it('The finders of a record are named, first finder first', () => {
  const sentence = (...names: string[]) => finderSentence({ names, count: names.length, mine: false })
  expect(sentence('Maya')).toBe('Found by Maya')
  expect(sentence('Maya', 'Jonas')).toBe('Found by Maya and Jonas')
  expect(finderSentence({ names: ['Maya', 'Jonas', 'Li'], count: 4, mine: true })).toBe(
    'Found by Maya, Jonas, Li and 1 other',
  )
  expect(sentence()).toBe('Added')
})
