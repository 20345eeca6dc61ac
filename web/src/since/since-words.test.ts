import { expect, it } from 'vitest'
import { kinds } from '#contract/kinds.ts'
import { itemsIn } from './since-words.ts'

const number = (count: number, hasMore = false) => ({ count, hasMore, cohort: `c${count}` })
const nothing = { founder: number(0), company: number(0) }
const since = {
  until: '2026-01-01T00:00:00.000Z',
  founders: { founder: number(1) },
  companies: { company: number(100, true) },
  notesOnMine: { founder: number(1), company: number(3) },
  givenToMe: { founder: number(0), company: number(1) },
  awaitingOpinion: { founder: { count: 2, hasMore: false }, company: { count: 0, hasMore: false } },
}

it('What happened since one was last here is said in words, without zeros', () => {
  expect(itemsIn(since, kinds).map(({ text }) => text)).toEqual([
    '1 new founder',
    '100+ new companies',
    'notes on 1 of your founders',
    'notes on 3 of your companies',
    '1 company given to you',
    '2 founders waiting for your opinion',
  ])
  const items = itemsIn(since, kinds)
  expect(items[0]).toMatchObject({
    key: 'founders',
    kind: { name: 'founder' },
    filter: { cohort: 'c1' },
    seen: 'founders',
  })
  // They are not new ones, and go down as the fellow judges.
  expect(items.at(-1)).toMatchObject({ filter: { opinion: 'missing' }, seen: undefined })
})

it('Nothing is said where nothing happened', () => {
  const quiet = { founders: { founder: number(0) }, companies: { company: number(0) }, notesOnMine: nothing }
  expect(itemsIn({ ...since, ...quiet, givenToMe: nothing, awaitingOpinion: nothing }, kinds)).toEqual([])
})
