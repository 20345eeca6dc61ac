import { expect, it } from 'vitest'
import { askedSentence, blindSentence, summaryOf } from './opinion-words.ts'

it.each([
  [1, '1 opinion. Give yours to read it.'],
  [3, '3 opinions. Give yours to read them.'],
])('%i opinions that one may not read yet', (count, sentence) => expect(blindSentence(count)).toBe(sentence))

it.each([
  [1, 8, 0, '1 opinion'],
  [2, 7.5, 3, '2 opinions · median 7.5 · spread 3'],
])('%i opinions that one may read', (count, median, spread, words) =>
  expect(summaryOf(count, median, spread)).toBe(words),
)

it.each([
  [['Ada'], 'Asked Ada for an opinion'],
  [['Ada', 'Tom'], 'Asked 2 fellows for their opinions'],
])('Asking %j', (names, sentence) => expect(askedSentence(names)).toBe(sentence))
