import { Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { RecordKind } from '#web/records/kind.ts'
import { useSingleKey } from '#web/ui/use-single-key.ts'
import classes from './record-page.module.css'
import { useNeighbours } from './use-neighbours.ts'

/** The next and the previous record of the list that the page was opened from, also by `J` and `K`. */
export function Neighbours({ kind, id }: { kind: RecordKind; id: string }) {
  const neighbours = useNeighbours(kind, id)
  useSingleKey('j', neighbours?.showNext, 'Next record')
  useSingleKey('k', neighbours?.showPrevious, 'Previous record')
  if (!neighbours) return null
  const { showPrevious, showNext } = neighbours
  return (
    <nav aria-label={`Other ${kind.path} of the list`} className={classes.neighbours}>
      <NeighbourButton label="Previous" shortcut="K" show={showPrevious} />
      <NeighbourButton label="Next" shortcut="J" show={showNext} />
    </nav>
  )
}

type NeighbourButtonProps = { label: 'Previous' | 'Next'; shortcut: string; show: (() => void) | undefined }

/** aria-disabled, not disabled, so that the focus stays at the end of the list. */
const NeighbourButton = ({ label, shortcut, show }: NeighbourButtonProps) => (
  <Button
    variant="default"
    {...(label === 'Next'
      ? { rightSection: <IconChevronRight size={18} stroke={1.5} /> }
      : { leftSection: <IconChevronLeft size={18} stroke={1.5} /> })}
    aria-keyshortcuts={shortcut}
    title={`${label} (${shortcut})`}
    {...(!show && { 'aria-disabled': true, 'data-disabled': true })}
    onClick={show}
  >
    {label}
  </Button>
)
