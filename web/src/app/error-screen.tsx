import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import classes from './error-screen.module.css'

/** Shown when a page throws, or when its script no longer exists after an update. */
export const ErrorScreen = () => (
  <main className={classes.screen}>
    <EmptyState
      role="alert"
      icon={<IconAlertTriangle size={28} stroke={1.5} />}
      title="This page could not be shown"
      order={1}
      text="Reloading usually helps. Your unsaved text is kept."
      action={<Button onClick={() => location.reload()}>Load again</Button>}
    />
  </main>
)
