import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { kindNamed } from '#contract/kinds.ts'
import { getRecord } from './api.ts'
import { refetchRecord } from './list-cache.ts'

it('A changed record that no screen shows is refetched when one shows it again', async () => {
  const client = new QueryClient()
  const founder = kindNamed('founder')
  const { queryKey } = getRecord(founder, 'one')
  client.setQueryData(queryKey, { id: 'one', name: 'Ada' } as never)
  await refetchRecord(client, founder, 'one')
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true)
})
