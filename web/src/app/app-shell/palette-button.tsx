import { Kbd, UnstyledButton } from '@mantine/core'
import { IconCommand } from '@tabler/icons-react'
import tip from '#web/ui/icon-button.module.css'
import classes from './top-bar.module.css'

export const COMMAND_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

/** Opens the command palette. On narrow screens it is in the menu of the avatar. */
export const PaletteButton = ({ onClick }: { onClick: () => void }) => (
  <UnstyledButton
    className={`${tip.root} ${classes.palette}`}
    data-tip="Find a record, a screen or an act"
    aria-keyshortcuts="Control+K Meta+K"
    onClick={onClick}
  >
    <IconCommand size={20} stroke={1.5} aria-hidden="true" />
    <span className="visually-hidden">Find or do</span>
    <Kbd className={classes.paletteKey}>{COMMAND_KEY}</Kbd>
  </UnstyledButton>
)
