import { Anchor, Paper } from '@mantine/core'
import { IconAlarm } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { NextStepCounts } from '#contract/board.ts'
import { kinds } from '#web/kinds.ts'
import { searchPath } from '#web/paths.ts'
import { DownloadLink } from '#web/ui/buttons/download-link.tsx'
import classes from './next-steps.module.css'

/** One line: my next steps that are late or due today, each number a link to exactly those records. Absent without any. */
export const NextSteps = ({ due: { data } }: { due: UseQueryResult<NextStepCounts | null> }) => {
  if (!data) return null
  const parts = (['late', 'due'] as const).flatMap((next) =>
    kinds.flatMap((kind) => {
      const count = data[next][kind.path]
      if (count === 0) return []
      const noun = count === 1 ? kind.name : kind.path
      const to = `${searchPath(kind)}?${new URLSearchParams({ responsible: data.responsible, next })}`
      return { to, text: `${count} ${noun} ${next === 'late' ? 'late' : 'today'}` }
    }),
  )
  return (
    <Paper withBorder component="section" className={classes.root} aria-label="My next steps">
      <IconAlarm size={18} stroke={1.5} aria-hidden="true" className={classes.icon} />
      <span>My next steps:</span>
      <ul className={classes.parts}>
        {parts.map(({ to, text }) => (
          <li key={to}>
            <Anchor component={Link} to={to} inherit underline="always">
              {text}
            </Anchor>
          </li>
        ))}
      </ul>
      <DownloadLink path="/next-steps.ics" inherit className={classes.file ?? ''}>
        Calendar file
        <span className="visually-hidden"> of all my next steps</span>
      </DownloadLink>
    </Paper>
  )
}
