import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { filtersOf } from '#contract/filters.ts'
import { kindNamed, kinds } from '#contract/kinds.ts'
import { getRecord, listRecords } from '#web/records/api.ts'
import { refetchLists, refetchRecord } from './list-cache.ts'
import { allRecords, mayMove } from './record-query.ts'

it('A changed record that no screen shows is refetched when one shows it again', async () => {
  const client = new QueryClient()
  const founder = kindNamed('founder')
  const { queryKey } = getRecord(founder, 'one')
  client.setQueryData(queryKey, { id: 'one', name: 'Ada' } as never)
  await refetchRecord(client, founder, 'one')
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true)
})

describe.each(kinds.map((kind) => [kind.path, kind] as const))('A list of %s', (_path, kind) => {
  it.each(filtersOf(kind))(
    'filtered by %s is refetched after the changes that may move a record',
    async (_name, one) => {
      const [parameter = ''] = Object.keys(one.parameters)
      const { queryKey } = listRecords(kind, { ...allRecords, filters: { [parameter]: 'x' } })
      for (const change of ['updated', 'notes', 'pipeline', 'tags', 'finders', 'merged'] as const) {
        const client = new QueryClient()
        client.setQueryData(queryKey, { pages: [], pageParams: [] })
        await refetchLists(client, kind, mayMove(change))
        const isRefetched = client.getQueryState(queryKey)?.isInvalidated
        expect([change, isRefetched]).toEqual([change, one.movedBy.includes(change)])
      }
    },
  )
})
