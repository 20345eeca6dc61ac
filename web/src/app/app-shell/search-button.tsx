import { Kbd, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import tip from '#web/ui/buttons/icon-button.module.css'
import classes from './search-button.module.css'

export const COMMAND_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

/** Opens the command palette. A box where the top bar has room for one, otherwise an icon. */
export const SearchButton = ({ onClick }: { onClick: () => void }) => (
  <div className={classes.room}>
    <span className={`${tip.root} ${classes.tip}`} data-tip="Search">
      <UnstyledButton className={classes.button ?? ''} aria-keyshortcuts="Control+K Meta+K" onClick={onClick}>
        <IconSearch size={20} stroke={1.5} aria-hidden="true" />
        <span className={classes.words}>Search or jump to…</span>
        <Kbd className={classes.key ?? ''} aria-hidden="true">
          {COMMAND_KEY}
        </Kbd>
      </UnstyledButton>
    </span>
  </div>
)
