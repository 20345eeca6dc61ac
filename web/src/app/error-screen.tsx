import { Anchor, Button } from '@mantine/core'
import { IconAlertTriangle, IconWifiOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { kinds } from '#web/kinds.ts'
import { addPath } from '#web/paths.ts'
import { currentSession } from '#web/session/api.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import classes from './error-screen.module.css'

const LoadAgain = ({ label }: { label: string }) => <Button onClick={() => location.reload()}>{label}</Button>

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
        action={<LoadAgain label="Load again" />}
      />
    </main>
  )
}

/** In place of a screen that was not loaded before the network went away. The add forms are there all the same. */
export function OfflineScreen() {
  const session = useQuery({ ...currentSession, enabled: false }).data
  const isKnown = session?.user != null
  return (
    <main className={classes.screen}>
      <EmptyState
        role="alert"
        icon={<IconWifiOff size={28} stroke={1.5} />}
        title="You are offline"
        order={1}
        text={isKnown ? 'This screen was not loaded yet.' : 'Sign in once with a network.'}
        action={
          <>
            {isKnown &&
              kinds.map((kind) => (
                <Anchor key={kind.name} href={addPath(kind)}>
                  Add {kind.label}
                </Anchor>
              ))}
            <LoadAgain label="Try again" />
          </>
        }
      />
    </main>
  )
}
