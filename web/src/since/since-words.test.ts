import { expect, it } from 'vitest'
import { kinds } from '#contract/kinds.ts'
import { itemsIn } from './since-words.ts'

const number = (count: number, hasMore = false) => ({ count, hasMore, cohort: `c${count}` })

it('New founders and companies since one was last here are said in words', () => {
  const since = {
    ...{ until: '2026-01-01T00:00:00.000Z' },
    ...{ founders: { founder: number(1) }, companies: { company: number(100, true) } },
  }
  expect(itemsIn(since, kinds)).toMatchObject([
    { key: 'founders', kind: { name: 'founder' }, cohort: 'c1', text: '1 new founder' },
    { key: 'companies', kind: { name: 'company' }, cohort: 'c100', text: '100+ new companies' },
  ])
})

it('Nothing is said where nothing was added', () => {
  const since = { founders: { founder: number(0) }, companies: { company: number(0) } }
  expect(itemsIn({ until: '2026-01-01T00:00:00.000Z', ...since }, kinds)).toEqual([])
})
