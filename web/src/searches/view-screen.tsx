import { Button, Skeleton } from '@mantine/core'
import { IconBookmarkOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useParams } from 'react-router'
import { kinds } from '#web/kinds.ts'
import { paths } from '#web/paths.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { listSearches } from './api.ts'
import { listPath } from './saved-query.ts'

/** The address of a saved search, which leads to its list. Another's own one is not there. */
export function ViewScreen() {
  const { id } = useParams()
  // It may have come since the others were read.
  const { data, error, isPending, isFetching, refetch } = useQuery({ ...listSearches, refetchOnMount: 'always' })
  if (error && !data) return <ErrorState title="The view could not be loaded" error={error} retry={refetch} />
  const search = data?.all.find((one) => one.id === id?.toLowerCase())
  const kind = kinds.find(({ name }) => name === search?.kind)
  if (search && kind) return <Navigate replace to={listPath(kind, search)} />
  if (isPending || isFetching)
    return <Skeleton height={120} radius={8} role="status" aria-busy="true" aria-label="Loading the view" />
  return (
    <EmptyState
      icon={<IconBookmarkOff size={28} stroke={1.5} />}
      title="There is no such view"
      text="It has been deleted, or its fellow does not share it."
      action={
        <Button component={Link} variant="default" to={paths.dashboard}>
          Dashboard
        </Button>
      }
    />
  )
}
