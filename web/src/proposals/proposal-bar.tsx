import { Anchor, Button } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { paths } from '#web/paths.ts'
import classes from './proposals.module.css'
import { useProposals } from './use-proposals.ts'

/** The place of the proposal that a page was opened for; undefined for none. */
export const proposalIn = (state: unknown): number | undefined => {
  const { proposal } = (state ?? {}) as { proposal?: unknown }
  return typeof proposal === 'number' ? proposal : undefined
}

/** On the page of a proposal: which one it is, and the way to the others. */
export function ProposalBar() {
  const place = proposalIn(useLocation().state)
  return place === undefined ? null : <Bar place={place} />
}

function Bar({ place }: { place: number }) {
  const { proposals, open } = useProposals()
  if (place >= proposals.length) return null
  const step = (label: string, to: number) => (
    <Button
      variant="default"
      size="xs"
      {...((to < 0 || to >= proposals.length) && { 'aria-disabled': true, 'data-disabled': true })}
      onClick={() => open(to)}
    >
      {label}
    </Button>
  )
  return (
    <nav aria-label="Proposals" className={classes.bar}>
      <Anchor component={Link} to={paths.proposals} size="sm">
        Proposals
      </Anchor>
      <span className={classes.quiet}>
        {place + 1} of {proposals.length}
      </span>
      {step('Previous', place - 1)}
      {step('Next', place + 1)}
    </nav>
  )
}
