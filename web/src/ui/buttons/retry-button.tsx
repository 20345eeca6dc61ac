import { Button } from '@mantine/core'

/** Tries again what has failed. It goes while that is loading, so the focus moves to what is around it. */
export const RetryButton = ({ retry }: { retry: () => void }) => (
  <Button
    variant="default"
    onClick={({ currentTarget }) => {
      currentTarget.parentElement?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true })
      retry()
    }}
  >
    Try again
  </Button>
)
