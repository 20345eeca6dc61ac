import { Button } from '@mantine/core'

/** Tries again what has failed. It is not disabled meanwhile, so that it keeps the focus. */
export const RetryButton = ({ retry, isRetrying }: { retry: () => void; isRetrying: boolean }) => (
  <Button
    variant="default"
    aria-disabled={isRetrying}
    data-disabled={isRetrying}
    onClick={() => !isRetrying && retry()}
  >
    Try again
  </Button>
)
