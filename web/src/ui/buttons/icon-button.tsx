import { ActionIcon } from '@mantine/core'
import type { ReactNode } from 'react'
import { useKeptFocus } from '#web/ui/use-kept-focus.ts'
import classes from './icon-button.module.css'

type IconButtonProps = {
  label: string
  /** The tooltip, where it may be shorter than the accessible name. */
  tip?: string
  icon: ReactNode
  onClick: () => void
  loading?: boolean
  /** Does not change the look. */
  disabled?: boolean
}

/** A button that is only an icon, with an accessible name and a tooltip. */
export const IconButton = ({ label, tip = label, icon, ...others }: IconButtonProps) => (
  <span className={classes.root} data-tip={tip}>
    <ActionIcon
      {...useKeptFocus(Boolean(others.loading || others.disabled))}
      variant="subtle"
      color="gray"
      size={40}
      aria-label={label}
      className={classes.button ?? ''}
      {...others}
    >
      {icon}
    </ActionIcon>
  </span>
)
