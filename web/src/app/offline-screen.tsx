import { Anchor, Button } from '@mantine/core'
import { IconWifiOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { kinds } from '#web/kinds.ts'
import { addPath } from '#web/paths.ts'
import { currentSession } from '#web/session/api.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import classes from './error-screen.module.css'

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
            <Button onClick={() => location.reload()}>Try again</Button>
          </>
        }
      />
    </main>
  )
}
