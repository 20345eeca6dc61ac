import { Paper, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './account.module.css'

export const Section = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId()
  return (
    <Paper component="section" withBorder className={classes.section} aria-labelledby={id}>
      <Title order={2} size="h4" id={id}>
        {title}
      </Title>
      {children}
    </Paper>
  )
}
