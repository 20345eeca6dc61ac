import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { currentSession } from '#web/session/api.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'
import classes from './error-screen.module.css'

/** A service worker keeps its script. */
export const OfflineScreen = lazyPart(
  'You are offline.',
  async () => (await import('./offline-screen.tsx')).OfflineScreen,
)

/** Shown when a page throws, when its script no longer exists after an update, or cannot be loaded without a network. */
export const ErrorScreen = () => {
  const session = useQuery({ ...currentSession, enabled: false }).data
  if (!navigator.onLine || session?.isOffline) return <OfflineScreen />
  return (
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
}
