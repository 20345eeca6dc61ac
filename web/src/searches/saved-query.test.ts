import { expect, it } from 'vitest'
import { kinds } from '#web/kinds.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { boardAddress, listPath, savedQuery } from './saved-query.ts'

const kind = kinds[0] as RecordKind
const saved = (text: string) => savedQuery(kind, new URLSearchParams(text))

it.each([
  ['', ''],
  ['sort=newest&mine=false&search=+&view=cards', ''],
  ['sort=rating&view=table&ratingMin=3&saved=x&unknown=1', 'ratingMin=3&sort=rating&view=table'],
  ['search=ada&mine=true&cohort=a1234567.1234567890123456789012345678901234567890123', 'mine=true&search=ada'],
  ['industry=Water&addedAfter=2026-02-31', ''],
])('Of the address %j a search keeps %j', (address, kept) => {
  expect(saved(address)).toBe(kept)
})

it('Two addresses of one list are one query, in whatever order they have its parts', () => {
  expect(saved('stage=none&sort=rating&ratingMin=8')).toBe(saved('ratingMin=8&saved=x&sort=rating&stage=none'))
})

it('The address of a search has its query, its id and the cohort of its numbers', () => {
  const search = { id: 'one', query: 'stage=none&sort=rating' }
  expect(listPath(kind, search)).toBe('/founders?stage=none&sort=rating&saved=one')
  expect(listPath(kind, search, 'c')).toBe('/founders?stage=none&sort=rating&saved=one&cohort=c')
})

it('On the board a search has its filters, without what the board has columns for', () => {
  const search = { id: 'one', query: 'search=a&stage=none&status=passed&ratingMin=8&sort=rating&view=table' }
  expect(boardAddress(kind, search)).toBe('/pipeline?show=founders&status=passed&ratingMin=8&saved=one')
})
