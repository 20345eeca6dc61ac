import { Button, type ButtonProps, Loader } from '@mantine/core'
import { useKeptFocus } from '#web/ui/use-kept-focus.ts'

type SubmitButtonProps = ButtonProps & { busy: boolean; label: string; busyLabel: string }

/** A submit button with a label for while it is busy. It cannot be pressed twice. */
export const SubmitButton = ({ busy, label, busyLabel, disabled = false, ...others }: SubmitButtonProps) => (
  <Button
    {...useKeptFocus(busy)}
    type="submit"
    disabled={busy || disabled}
    data-busy={busy || undefined}
    leftSection={busy ? <Loader size={16} color="currentColor" /> : null}
    {...others}
  >
    {busy ? busyLabel : label}
  </Button>
)
