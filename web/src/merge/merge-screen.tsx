import { Button } from '@mantine/core'
import { IconArrowMerge } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { kinds } from '#web/kinds.ts'
import { ApiError } from '#web/lib/http.ts'
import { paths } from '#web/paths.ts'
import { getRecord } from '#web/records/api.ts'
import { CardSkeletons } from '#web/records/card/card-skeleton.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { useLoadingState } from '#web/ui/states/use-loading-state.ts'
import { bothInOrder } from './choices.ts'
import { MergeForm } from './merge-form.tsx'

/** Merges the two records in the address. */
export function MergeScreen() {
  const [query] = useSearchParams()
  const kind = kinds.find(({ path }) => path === query.get('show'))
  const ids = [query.get('one'), query.get('other')].filter((id) => id !== null)
  if (!kind || ids.length < 2) return <Gone title="There is nothing to merge here" />
  return <Merge kind={kind} ids={ids} />
}

function Merge({ kind, ids }: { kind: RecordKind; ids: string[] }) {
  const queries = useQueries({ queries: ids.map((id) => getRecord(kind, id)) })
  const isLoading = useLoadingState(queries.some(({ isPending }) => isPending))
  const failed = queries.find(({ error }) => error !== null)
  const [one, other] = queries.map(({ data }) => data)

  if (failed?.error instanceof ApiError && failed.error.status === 404)
    return <Gone title="One of these records has been deleted" />
  if (isLoading) return <CardSkeletons label="Loading both records" isSquare={kind.isSquare} />
  if (!one || !other)
    return <ErrorState title="The records could not be loaded" error={failed?.error} retry={() => failed?.refetch()} />
  // For a merged record, the server returns the one that it was merged into.
  if (!ids.includes(one.id) || !ids.includes(other.id) || one.id === other.id)
    return <Gone title="One of these records was merged into another one" />
  return <MergeForm key={ids.join()} kind={kind} both={bothInOrder(one, other)} />
}

const Gone = ({ title }: { title: string }) => (
  <EmptyState
    icon={<IconArrowMerge size={28} stroke={1.5} />}
    title={title}
    text="All pairs are listed under Duplicates."
    action={
      <Button component={Link} to={paths.duplicates} variant="light">
        Duplicates
      </Button>
    }
  />
)
