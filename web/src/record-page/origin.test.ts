import { expect, it } from 'vitest'
import { originOf } from './origin.ts'

const founders = { path: 'founders', plural: 'Founders' } as const

it('The page of a record leads back to the list one came from, else to the search of its kind', () => {
  expect(originOf(founders, { from: '/my-records?show=founders' })).toEqual({
    ...{ to: '/my-records?show=founders', name: 'My Records', isBack: true },
  })
  expect(originOf(founders, { from: '/founders?search=ada' })).toMatchObject({ name: 'Search Founders', isBack: true })
  const search = { to: '/founders', name: 'Search Founders', isBack: false }
  expect([originOf(founders, null), originOf(founders, { from: '/companies/1' })]).toEqual([search, search])
})
