import { Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Logo } from '#web/ui/logo.tsx'
import classes from './auth-card.module.css'

/** What stands around everything that is there for the signed out. */
export const AuthCard = ({ children }: { children: ReactNode }) => (
  <main className={classes.screen}>
    <Paper withBorder className={classes.card}>
      <header className={classes.head}>
        <Logo size={48} />
        <Title order={1} size="h2">
          Sourcebook
        </Title>
        <Text c="dimmed">Where venture fellows source founders and companies together.</Text>
      </header>
      {children}
    </Paper>
  </main>
)
