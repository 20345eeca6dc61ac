import { Kbd, UnstyledButton } from '@mantine/core'
import { IconCommand } from '@tabler/icons-react'
import classes from './nav-bar.module.css'

export const COMMAND_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

/** Opens the command palette. On narrow screens it is in the menu of the avatar. */
export const PaletteButton = ({ onClick }: { onClick: () => void }) => (
  <UnstyledButton
    className={`${classes.navLink} ${classes.palette}`}
    aria-keyshortcuts="Control+K Meta+K"
    onClick={onClick}
  >
    <IconCommand size={22} stroke={1.5} aria-hidden="true" />
    Find or do
    <Kbd>{COMMAND_KEY}</Kbd>
  </UnstyledButton>
)
