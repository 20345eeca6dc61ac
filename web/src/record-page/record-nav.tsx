import { Anchor, Button } from '@mantine/core'
import { IconArrowLeft, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { type InboxView, type Line, listInbox } from '#web/inbox/api.ts'
import { useTakeBack } from '#web/inbox/last-act.ts'
import { useActs } from '#web/inbox/use-acts.ts'
import type { RecordPageState } from '#web/records/card/record-link.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import { useOwner } from '#web/session/use-current-user.ts'
import { useSingleKey } from '#web/ui/keys/use-single-key.ts'
import { grouped } from '#web/ui/shown-count.ts'
import { originOf } from './origin.ts'
import classes from './record-page.module.css'
import { useNeighbours } from './use-neighbours.ts'

/** The way back to the list, and to the next and the previous record of it. */
export const RecordNav = ({ kind, id }: { kind: RecordKind; id: string }) => (
  <div className={classes.nav}>
    <BackLink kind={kind} />
    <Neighbours kind={kind} id={id} />
  </div>
)

const BackLink = ({ kind }: { kind: RecordKind }) => {
  const { state }: { state: RecordPageState } = useLocation()
  const navigate = useNavigate()
  const { to, name, isBack } = originOf(kind, state)
  // One step back, the list is at the same place.
  const goBack = (event: MouseEvent) => {
    if (!isBack || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    void navigate(-1)
  }
  return (
    <Anchor component={Link} to={to} className={classes.back ?? ''} onClick={goBack}>
      <IconArrowLeft size={16} stroke={1.5} aria-hidden="true" />
      {name}
    </Anchor>
  )
}

/** The next and the previous record of the list, or line of the inbox, that the page was opened from, also by `J` and `K`. */
function Neighbours({ kind, id }: { kind: RecordKind; id: string }) {
  const neighbours = useNeighbours(kind, id)
  useSingleKey('j', neighbours?.showNext, 'Next record')
  useSingleKey('k', neighbours?.showPrevious, 'Previous record')
  if (!neighbours) return null
  const { showPrevious, showNext, place, total, line } = neighbours
  return (
    <nav
      aria-label={line ? 'Other lines of the inbox' : `Other ${kind.path} of the list`}
      className={classes.neighbours}
    >
      <NeighbourButton label="Previous" shortcut="K" show={showPrevious} />
      <span className={classes.place}>
        {grouped(place)}
        {total !== null && ` of ${total}`}
      </span>
      {line && (
        <>
          <span aria-hidden="true">·</span>
          <DoneButton line={line} showNext={showNext} />
        </>
      )}
      <NeighbourButton label="Next" shortcut="J" show={showNext} />
    </nav>
  )
}

type DoneButtonProps = { line: Line & { view: InboxView }; showNext: (() => void) | undefined }

/** Marks the line of the inbox as done and opens the next one; after the last, the inbox. */
function DoneButton({ line, showNext }: DoneButtonProps) {
  const navigate = useNavigate()
  const list = useQueryClient().getQueryData(listInbox(line.view).queryKey)
  const { markOne } = useActs(list?.pages[0]?.seenUntil)
  const isOpen = line.view.state === 'open'
  const done = () => {
    markOne('done', line)
    if (showNext) showNext()
    else void navigate(-1)
  }
  useSingleKey('d', isOpen ? done : undefined, 'Done, and open the next line of the inbox')
  useSingleKey('z', useTakeBack(useOwner()), 'Take back what was done last')
  return (
    <Button
      variant="light"
      size="xs"
      className={classes.neighbour ?? ''}
      aria-keyshortcuts="D"
      title="Done (D)"
      {...(!isOpen && { 'aria-disabled': true, 'data-disabled': true })}
      onClick={isOpen ? done : undefined}
    >
      Done
    </Button>
  )
}

type NeighbourButtonProps = { label: 'Previous' | 'Next'; shortcut: string; show: (() => void) | undefined }

/** aria-disabled, not disabled, so that the focus stays at the end of the list. */
const NeighbourButton = ({ label, shortcut, show }: NeighbourButtonProps) => (
  <Button
    variant="default"
    size="xs"
    className={classes.neighbour ?? ''}
    aria-label={label}
    aria-keyshortcuts={shortcut}
    title={`${label} (${shortcut})`}
    {...(!show && { 'aria-disabled': true, 'data-disabled': true })}
    onClick={show}
  >
    {label === 'Previous' && <IconChevronLeft size={16} stroke={1.5} aria-hidden="true" />}
    <span className={classes.word}>{label}</span>
    {label === 'Next' && <IconChevronRight size={16} stroke={1.5} aria-hidden="true" />}
  </Button>
)
