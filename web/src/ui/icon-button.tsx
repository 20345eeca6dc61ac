import { ActionIcon, Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './icon-button.module.css'

type IconButtonProps = {
  label: string
  /** The tooltip, where it may be shorter than the accessible name. */
  tip?: string
  icon: ReactNode
  onClick: () => void
  loading?: boolean
  /** Does not change the look, and keeps the focus. */
  disabled?: boolean
}

/** A button that is only an icon, with an accessible name and a tooltip. */
export const IconButton = ({ label, tip = label, icon, onClick, loading, disabled }: IconButtonProps) => (
  <span className={classes.root} data-tip={tip}>
    <ActionIcon
      variant="subtle"
      color="gray"
      size={40}
      aria-label={label}
      aria-disabled={disabled}
      className={classes.button ?? ''}
      onClick={() => !disabled && onClick()}
    >
      {loading ? <Loader size={20} color="currentColor" /> : icon}
    </ActionIcon>
  </span>
)
