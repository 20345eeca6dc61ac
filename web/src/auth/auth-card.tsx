import { Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Logo } from '#web/ui/logo.tsx'
import classes from './auth-card.module.css'

/** The frame of every screen for signed-out people. */
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
