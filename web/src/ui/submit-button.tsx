import { Button, type ButtonProps, Loader } from '@mantine/core'

/** A submit button with a label for while it is busy. It cannot be pressed twice. */
export const SubmitButton = ({
  busy,
  label,
  busyLabel,
  ...others
}: ButtonProps & { busy: boolean; label: string; busyLabel: string }) => (
  <Button
    type="submit"
    disabled={busy}
    data-busy={busy || undefined}
    leftSection={busy ? <Loader size={16} color="currentColor" /> : null}
    {...others}
  >
    {busy ? busyLabel : label}
  </Button>
)
