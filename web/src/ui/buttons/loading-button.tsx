import { Button, type ButtonProps, type ElementProps } from '@mantine/core'
import { useKeptFocus } from '#web/ui/use-kept-focus.ts'

type LoadingButtonProps = ButtonProps & ElementProps<'button', keyof ButtonProps> & { loading: boolean }

/** A button that shows that its call is running, and has its focus again when the call has failed. */
export const LoadingButton = (props: LoadingButtonProps) => <Button {...useKeptFocus(props.loading)} {...props} />
