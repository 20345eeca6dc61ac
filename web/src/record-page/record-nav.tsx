import { Anchor, Button } from '@mantine/core'
import { IconArrowLeft, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { RecordPageState } from '#web/records/card/record-link.tsx'
import type { RecordKind } from '#web/records/kind.ts'
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

/** The next and the previous record of the list that the page was opened from, also by `J` and `K`. */
function Neighbours({ kind, id }: { kind: RecordKind; id: string }) {
  const neighbours = useNeighbours(kind, id)
  useSingleKey('j', neighbours?.showNext, 'Next record')
  useSingleKey('k', neighbours?.showPrevious, 'Previous record')
  if (!neighbours) return null
  const { showPrevious, showNext, place, total } = neighbours
  return (
    <nav aria-label={`Other ${kind.path} of the list`} className={classes.neighbours}>
      <NeighbourButton label="Previous" shortcut="K" show={showPrevious} />
      <span className={classes.place}>
        {grouped(place)}
        {total !== null && ` of ${total}`}
      </span>
      <NeighbourButton label="Next" shortcut="J" show={showNext} />
    </nav>
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
