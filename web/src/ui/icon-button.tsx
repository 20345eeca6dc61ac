import { ActionIcon } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './icon-button.module.css'

type IconButtonProps = {
  label: string
  /** What the pointer is told, where that may be shorter than what a screen reader says. */
  tip?: string
  icon: ReactNode
  onClick: () => void
  loading?: boolean
  disabled?: boolean
}

/** A button that is only an icon: named for those who hear it, explained to those who point at it or tab to it. */
export const IconButton = ({ label, tip = label, icon, ...others }: IconButtonProps) => (
  <span className={classes.root} data-tip={tip}>
    <ActionIcon variant="subtle" color="gray" size={40} aria-label={label} {...others}>
      {icon}
    </ActionIcon>
  </span>
)
