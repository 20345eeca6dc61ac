import { Button, Skeleton } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useLoadMoreOnScroll } from '#web/records/use-load-more-on-scroll.ts'
import { NoteItem } from './note-item.tsx'
import classes from './note-list.module.css'
import type { ListedNote } from './use-notes.ts'

type NoteListProps = {
  list: UseInfiniteQueryResult
  notes: ListedNote[] | undefined
  isGone: boolean
  ownEmail: string
  onDelete: (id: string) => void
}

/** The notes, newest first: pending, then an error, then nothing, then the notes and the way to older ones. */
export const NoteList = ({ list, notes, isGone, ownEmail, onDelete }: NoteListProps) => {
  const sentinel = useLoadMoreOnScroll(list)
  return (
    // A region that scrolls must be in reach of the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className={classes.root} aria-label="Notes" tabIndex={0}>
      {list.isPending && <NotesLoading />}
      {!list.isPending && !notes && (
        <div role="alert" className={classes.message}>
          <p>The notes could not be loaded.</p>
          <Button variant="default" onClick={() => list.refetch()} disabled={list.isFetching}>
            Try again
          </Button>
        </div>
      )}
      {notes?.length === 0 && !isGone && (
        <div className={classes.message}>
          <p className={classes.messageTitle}>No notes yet</p>
          <p>What you write here, every fellow can read.</p>
        </div>
      )}
      <ol className={classes.notes}>
        {notes?.map((note) => (
          <NoteItem key={note.id} note={note} isOwn={note.authorEmail === ownEmail} onDelete={onDelete} />
        ))}
      </ol>
      {list.hasNextPage && (
        <div ref={sentinel} className={classes.more}>
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            Older notes
          </Button>
        </div>
      )}
    </section>
  )
}

const NotesLoading = () => (
  <div role="status" aria-busy="true" aria-label="Loading notes" className={classes.loading}>
    <Skeleton height={48} />
    <Skeleton height={48} />
    <Skeleton height={48} />
  </div>
)
