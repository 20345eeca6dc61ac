import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import { Link, Navigate, useLocation, useParams } from 'react-router'
import { ApiError } from '#web/lib/http.ts'
import { recordPath, searchPath } from '#web/paths.ts'
import { getRecord } from '#web/records/api.ts'
import { findInLists } from '#web/records/cache/list-cache.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { useOwner } from '#web/session/use-current-user.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { useLoadingState } from '#web/ui/states/use-loading-state.ts'
import { moveDrafts } from './move-drafts.ts'
import { RecordSkeleton } from './record-skeleton.tsx'
import { RecordView } from './record-view.tsx'
import { useMarkRead } from './use-mark-read.ts'
import { releaseKeys } from './use-neighbours.ts'

/** The record in the address: loading, an error, deleted, its new address after a merge, or the record. */
export function RecordScreen({ kind }: { kind: RecordKind }) {
  const { id = '' } = useParams()
  const { state } = useLocation()
  const client = useQueryClient()
  const query = useQuery({
    ...getRecord(kind, id),
    // A record that a list has shown is there immediately.
    placeholderData: () => findInLists(client, kind, id),
  })
  const { data: record, error, refetch } = query
  const isLoading = useLoadingState(query.isPending)
  useMarkRead(id, query)

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each record
  useLayoutEffect(() => {
    releaseKeys()
    return releaseKeys
  }, [id])

  if (error instanceof ApiError && error.status === 404) return <Deleted kind={kind} />
  if (isLoading) return <RecordSkeleton kind={kind} />
  if (!record) return <ErrorState title={`The ${kind.name} could not be loaded`} error={error} retry={refetch} />
  // For a record that was merged, the server returns the one that it was merged into.
  if (record.id !== id) return <Moved kind={kind} id={id} survivor={record} state={state} />
  return <RecordView key={id} kind={kind} record={record} />
}

type MovedProps = { kind: RecordKind; id: string; survivor: RecordRow; state: unknown }

/** Replaces the address of a merged record by that of its survivor, and takes along what was typed. */
const Moved = ({ kind, id, survivor, state }: MovedProps) => {
  const owner = useOwner()
  // Before the page of the survivor reads its drafts.
  useLayoutEffect(() => moveDrafts(owner, kind, id, survivor), [owner, kind, id, survivor])
  return <Navigate to={recordPath(kind, survivor)} state={state} replace />
}

const Deleted = ({ kind }: { kind: RecordKind }) => {
  useDocumentTitle('This record has been deleted')
  return (
    <EmptyState
      icon={<IconTrash size={28} stroke={1.5} />}
      title="This record has been deleted"
      order={1}
      text={`All ${kind.path} that are here are in the list.`}
      action={
        <Button component={Link} to={searchPath(kind)}>
          Search {kind.plural}
        </Button>
      }
    />
  )
}
