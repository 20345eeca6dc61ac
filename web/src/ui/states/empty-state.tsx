import { Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

type EmptyStateProps = {
  icon: ReactNode
  title: string
  /** The level of the title: 1 where the page has no other heading. */
  order?: 1 | 2
  text: string
  action?: ReactNode
  role?: 'alert'
}

/** Replaces a list without rows: the reason, and the next action. */
export const EmptyState = ({ icon, title, order = 2, text, action, role }: EmptyStateProps) => (
  <Paper withBorder className={classes.root} role={role}>
    <span className={classes.icon} aria-hidden="true">
      {icon}
    </span>
    <Title order={order} size="h3">
      {title}
    </Title>
    <Text size="sm" c="dimmed" maw="48ch">
      {text}
    </Text>
    {action && <div className={classes.action}>{action}</div>}
  </Paper>
)
