import { IconCloudOff } from '@tabler/icons-react'
import { sentenceOf } from '#web/lib/http.ts'
import { RetryButton } from '#web/ui/buttons/retry-button.tsx'
import { EmptyState } from './empty-state.tsx'

type ErrorStateProps = { title: string; error: unknown; retry: () => void }

/** Names the data that could not be loaded and why, with a button to try again. */
export const ErrorState = ({ title, error, retry }: ErrorStateProps) => (
  <EmptyState
    role="alert"
    icon={<IconCloudOff size={28} stroke={1.5} />}
    title={title}
    text={sentenceOf(error, "We couldn't reach the server. Try again in a moment.")}
    action={<RetryButton retry={retry} />}
  />
)
