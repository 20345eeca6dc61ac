import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sortNames } from '#contract/record.ts'
import { kinds } from '#server/kinds.ts'
import { change, makeChange } from '#server/records/test/list-changes.ts'
import {
  expectedIds,
  filtersOf,
  type ListWorld,
  makeFellows,
  makeListWorld,
  nextOf,
  pagesOf,
  parametersOf,
  RULES,
} from '#server/records/test/list-world.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

const WORLD = { count: 50, seed: 'lists' }
/** Lists of random filters, for each filter. */
const RUNS = process.env.LONG ? 10 : 4

let test: TestApp
const worlds = new Map<string, ListWorld>()
beforeAll(async () => {
  test = await startTestApp()
  const fellows = await makeFellows(test)
  for (const kind of kinds) worlds.set(kind.path, await makeListWorld(test, kind, fellows, WORLD))
})
afterAll(() => test.close())

describe.each(kinds.map((kind) => [kind.path, kind] as const))('A list of %s', (path, kind) => {
  const world = () => worlds.get(path) as ListWorld
  const valuesOf = (filter: string) => RULES[filter]?.values(world()) ?? []
  const names = filtersOf(kind)

  /** Reads a list to its end, and compares it with what its filters should show. */
  async function compare(filters: Record<string, string>, { sort, limit, caller = 0, timeZone }: Shown) {
    const { client, account } = world().fellows[caller] as ListWorld['fellows'][number]
    const parameters = await parametersOf(test.db, account, {
      ...{ ...filters, ...(sort && { sort }), ...(timeZone && { timeZone }), limit: String(limit) },
    })
    const { ids, totals } = await pagesOf(client, `/api/${path}?${parameters}`)
    const expected = expectedIds({ world: world(), caller, timeZone }, filters, sort)
    expect({ filters, sort, timeZone, ids }).toEqual({ filters, sort, timeZone, ids: expected })
    expect({ filters, totals }).toEqual({
      filters,
      totals: totalsOf(filters, expected.length, totals.length),
    })
    return expected
  }
  type Shown = {
    sort?: (typeof sortNames)[number] | undefined
    limit: number
    caller?: number
    timeZone?: string | undefined
  }

  it('has a rule for each filter of its declaration', () => {
    expect(names.filter((name) => RULES[name] === undefined)).toEqual([])
    expect(Object.keys(RULES).filter((name) => kinds.every((one) => !filtersOf(one).includes(name)))).toEqual([])
  })

  it.each(names)(
    'shows what %s says, alone and with any other filters, in every order, page by page',
    async (filter) => {
      const counts: number[] = []
      for (const [index, value] of valuesOf(filter).entries())
        counts.push(
          (await compare({ [filter]: value }, { sort: sortNames[index % sortNames.length], limit: 9 })).length,
        )
      // The world has records that the filter shows, and others.
      expect([Math.max(...counts) > 0, Math.min(...counts) < world().records.length]).toEqual([true, true])
      const others: fc.Arbitrary<Record<string, string>> = fc.record(
        Object.fromEntries(
          names.filter((name) => name !== filter).map((name) => [name, fc.constantFrom(...valuesOf(name))]),
        ) as Record<string, fc.Arbitrary<string>>,
        { requiredKeys: [] },
      ) as never
      const shown = fc.record({
        sort: fc.constantFrom(undefined, ...sortNames),
        limit: fc.constantFrom(1, 3, 7, 100),
        caller: fc.nat(2),
        timeZone: fc.constantFrom(undefined, 'Pacific/Kiritimati', 'America/St_Johns'),
      })
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...valuesOf(filter)), others, shown, async (value, more, how) => {
          await compare({ [filter]: value, ...more }, how)
        }),
        { numRuns: RUNS },
      )
    },
  )

  it.each(names)('exports what %s shows, in the order of the list', { tags: 'slow' }, async (filter) => {
    const { client, account } = world().fellows[0] as ListWorld['fellows'][number]
    const nameOf = new Map(world().records.map(({ id, name }) => [id, name]))
    for (const value of valuesOf(filter).slice(0, 3)) {
      const parameters = await parametersOf(test.db, account, { [filter]: value, format: 'jsonl' })
      const { text } = await client.get(`/api/${path}/export?${parameters}`)
      const exported = text.split('\n').slice(0, -1)
      const expected = expectedIds({ world: world(), caller: 0 }, { [filter]: value }).map((id) => nameOf.get(id))
      expect([value, exported.map((line) => JSON.parse(line).name)]).toEqual([value, expected])
    }
  })

  it.each([
    ['mentions', 'note'],
    ['similar', 'jose'],
  ])(
    'with in=%s shows what each filter shows of its results, in their order',
    { tags: 'slow' },
    async (place, search) => {
      const { client, account } = world().fellows[0] as ListWorld['fellows'][number]
      const idsWith = async (filters: Record<string, string>) => {
        const parameters = await parametersOf(test.db, account, { search, in: place, ...filters })
        return (await pagesOf(client, `/api/${path}?${parameters}`)).ids
      }
      const all = await idsWith({})
      expect(all.length).toBeGreaterThan(5)
      for (const filter of names.filter((name) => name !== 'search')) {
        for (const value of valuesOf(filter)) {
          const shown = new Set(expectedIds({ world: world(), caller: 0 }, { [filter]: value }))
          const ids = await idsWith({ [filter]: value })
          expect({ filter, value, ids }).toEqual({ filter, value, ids: all.filter((id) => shown.has(id)) })
        }
      }
    },
  )

  it('names the finders of each record, and whether the caller is one', { tags: 'slow' }, async () => {
    const { client } = world().fellows[0] as ListWorld['fellows'][number]
    const { body } = await client.get(`/api/${path}?limit=500`)
    for (const record of body) {
      const { body: finders } = await client.get(`/api/records/${record.id}/finders`)
      const names = finders.map(({ fellow }: { fellow: { name: string } }) => fellow.name)
      const isMine = finders.some(({ isMe }: { isMe: boolean }) => isMe)
      const expected = { names: names.slice(0, 3), count: names.length, mine: isMine }
      expect(record.finders).toEqual(expected)
      expect((await client.get(`/api/${path}/${record.id}`)).body.finders).toEqual(expected)
    }
    expect(body.some(({ finders }: { finders: { count: number } }) => finders.count > 1)).toBe(true)
  })
})

// Last, because it changes the records.
describe.each(kinds.map((kind) => [kind.path, kind] as const))(
  'A list of %s that changes while it is paged',
  (path) => {
    const filters = fc.constantFrom<Record<string, string>>(
      {},
      { mine: 'true' },
      { ratingMin: '3' },
      { hasNotes: 'true' },
      { search: 'o' },
      { tag: 'first' },
    )

    it.each(sortNames)(
      'shows each record that did not move once, in the order of %s',
      { tags: 'slow' },
      async (sort) => {
        const world = worlds.get(path) as ListWorld
        const { client } = world.fellows[0] as ListWorld['fellows'][number]
        await fc.assert(
          fc.asyncProperty(filters, fc.array(change, { minLength: 40, maxLength: 40 }), async (shown, changes) => {
            const given = { ...shown, ...(shown.tag && { tag: world.tags[0] as string }) }
            const first = `/api/${path}?${new URLSearchParams({ ...given, sort, limit: '4' })}`
            const { ids: before } = await pagesOf(client, first.replace('limit=4', 'limit=500'))
            const [changed, moved, ids] = [new Set<string>(), new Set<string>(), [] as string[]]
            for (let next: string | undefined = first; next !== undefined; ) {
              const answer = await client.get(next)
              ids.push(...answer.body.map(({ id }: { id: string }) => id))
              for (const one of changes.splice(0, 2)) {
                const { all, isMove } = await makeChange(world, before, one)
                for (const id of all) (isMove(sort) ? moved : changed).add(id)
              }
              next = nextOf(answer.headers.link)
            }
            const isSame = (id: string) => !changed.has(id) && !moved.has(id)
            expect(ids.filter(isSame)).toEqual(before.filter(isSame))
            const twice = ids.filter((id, place) => ids.indexOf(id) < place)
            expect(twice.filter((id) => !moved.has(id))).toEqual([])
          }),
          { numRuns: process.env.LONG ? 4 : 2 },
        )
      },
    )
  },
)

/**
 * The totals of the pages of a list in a small table, which are exact: on the first page with a search or filter, on every page
 * without, or with `mine` alone.
 */
function totalsOf(filters: Record<string, string>, count: number, pages: number) {
  const { mine: _mine, ...others } = filters
  const isFiltered = Object.keys(others).length > 0
  return Array.from({ length: pages }, (_, page) => (isFiltered && page > 0 ? undefined : String(count)))
}
