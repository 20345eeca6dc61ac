import { Button } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { EmptyState } from './empty-state.tsx'

/** Names the data that could not be loaded, with a button to try again. */
export const ErrorState = ({ title, isRetrying, retry }: { title: string; isRetrying: boolean; retry: () => void }) => (
  <EmptyState
    role="alert"
    icon={<IconCloudOff size={28} stroke={1.5} />}
    title={title}
    text="We couldn't reach the server. Try again in a moment."
    action={
      <Button variant="default" onClick={retry} disabled={isRetrying}>
        Try again
      </Button>
    }
  />
)
