import { Button, Paper, Skeleton } from '@mantine/core'
import { IconDownload, IconMailCheck } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { INFORMED_AT_ONCE_MAX, type UninformedFounder } from '#contract/informing.ts'
import { PagedList } from '#web/records/list/paged-list.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { listUninformed, markInformed, saveUninformed } from './api.ts'
import classes from './informing.module.css'
import { LetterDialog } from './letter-dialog.tsx'
import { UninformedFounderItem } from './uninformed-founder-item.tsx'

/** The founders who were not informed of what is held on them. */
export function Informing() {
  const list = useInfiniteQuery(listUninformed)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [written, setWritten] = useState<UninformedFounder>()
  const [marked, setMarked] = useState<string[]>([])
  const mark = useMutation(markInformed)
  const save = useMutation(saveUninformed)
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? []
  // Those that left the list meanwhile are no longer chosen.
  const ids = rows.filter(({ id }) => chosen.has(id)).map(({ id }) => id)

  const send = (wanted: string[], isInformed = true) =>
    mark.mutate(
      { ids: wanted, isInformed },
      {
        onSuccess: ({ ids: changed }) => {
          setMarked(isInformed ? changed : [])
          setChosen((before) => new Set([...before].filter((id) => !wanted.includes(id))))
          setWritten(undefined)
        },
        onError: (failure) => toasts.failure(failure, 'This failed. Try again in a moment.'),
      },
    )
  const choose = (id: string, isChosen: boolean) =>
    setChosen((before) => new Set(isChosen ? [...before, id] : [...before].filter((one) => one !== id)))

  return (
    <div className="stack-12">
      <p>
        People on whom data is kept must be informed within a month, unless they know already (GDPR, article 14). Write
        to them, then mark the letter as sent.
      </p>
      <div role="status" className={classes.acts}>
        {marked.length > 0 && (
          <>
            <span>{marked.length === 1 ? 'Marked as sent.' : `${marked.length} marked as sent.`}</span>
            <Button variant="default" disabled={mark.isPending} onClick={() => send(marked, false)}>
              Undo
            </Button>
          </>
        )}
      </div>
      <PagedList
        list={list}
        name="founders to inform"
        label="Founders to inform"
        failed="The founders to inform could not be loaded"
        skeletons={<Skeletons />}
        nothing={
          <EmptyState
            icon={<IconMailCheck size={28} stroke={1.5} />}
            title="Every founder was informed"
            text="Founders who are added appear here, with the day until which they must be informed."
          />
        }
        about={
          <div className={classes.acts}>
            <Button
              variant="default"
              disabled={rows.length === 0}
              onClick={() =>
                setChosen(ids.length > 0 ? new Set() : new Set(rows.slice(0, INFORMED_AT_ONCE_MAX).map(({ id }) => id)))
              }
            >
              {ids.length > 0 ? 'Choose none' : 'Choose all shown'}
            </Button>
            <Button disabled={ids.length === 0} loading={mark.isPending} onClick={() => send(ids)}>
              Mark {ids.length === 0 ? 'chosen' : ids.length} as sent
            </Button>
            <Button
              variant="default"
              leftSection={<IconDownload size={16} stroke={1.5} />}
              disabled={save.isPending}
              onClick={() =>
                save.mutate(undefined, { onError: (failure) => toasts.failure(failure, 'Failed to export') })
              }
            >
              Export CSV
            </Button>
          </div>
        }
      >
        {(founder) => (
          <UninformedFounderItem
            founder={founder}
            isChosen={chosen.has(founder.id)}
            onChoose={(isChosen) => choose(founder.id, isChosen)}
            onWrite={() => setWritten(founder)}
            onSent={() => send([founder.id])}
          />
        )}
      </PagedList>
      {written && (
        <LetterDialog founder={written} onSent={() => send([written.id])} onEnd={() => setWritten(undefined)} />
      )}
    </div>
  )
}

const places = [0, 1, 2, 3, 4, 5]

const Skeletons = () => (
  <div role="status" aria-label="Loading the founders to inform" aria-busy="true" className="stack-12">
    {places.map((place) => (
      <Paper key={place} withBorder className={classes.founder}>
        <div className={classes.text}>
          <Skeleton height={14} my={5} width="min(50%, 240px)" />
          <Skeleton height={10} my={5} width="min(70%, 320px)" />
        </div>
      </Paper>
    ))}
  </div>
)
