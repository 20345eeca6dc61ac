import { Button, type ButtonProps, Loader } from '@mantine/core'

/** A submit button with a label for while it is busy. It cannot be pressed twice, and keeps the focus meanwhile. */
export const SubmitButton = ({
  busy,
  label,
  busyLabel,
  ...others
}: ButtonProps & { busy: boolean; label: string; busyLabel: string }) => (
  <Button
    type="submit"
    aria-disabled={busy}
    data-busy={busy || undefined}
    // Enter in a field clicks this button too.
    onClick={(event) => busy && event.preventDefault()}
    leftSection={busy ? <Loader size={16} color="currentColor" /> : null}
    {...others}
  >
    {busy ? busyLabel : label}
  </Button>
)
