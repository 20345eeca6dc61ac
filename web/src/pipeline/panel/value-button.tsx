import { Button, type ButtonProps, type ElementProps } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import classes from './pipeline-panel.module.css'

type ValueButtonProps = ButtonProps & ElementProps<'button', keyof ButtonProps>

/** A value that a click changes. It looks the same whether it is set or not. The target of a menu adds a class. */
export const ValueButton = ({ className, ...props }: ValueButtonProps) => (
  <Button
    variant="default"
    size="compact-sm"
    className={`${classes.value} ${className ?? ''}`}
    rightSection={<IconChevronDown size={14} stroke={1.5} aria-hidden="true" />}
    {...props}
  />
)

/** What else can be done with a value, beside it. */
export const ValueLink = (props: ValueButtonProps) => (
  <Button variant="subtle" size="compact-sm" className={classes.link ?? ''} {...props} />
)
