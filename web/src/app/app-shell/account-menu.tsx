import { Avatar, UnstyledButton } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { ColorSchemeItem } from './color-scheme.tsx'
import { LogoutItem } from './logout.tsx'
import classes from './top-bar.module.css'

type AccountMenuProps = { name: string; email: string; initial: string }

/** On narrow screens, contains the items at the right end of the top bar. A native popover. */
export const AccountMenu = ({ name, email, initial }: AccountMenuProps) => (
  <div className={classes.accountMenu}>
    <UnstyledButton className={classes.accountButton} popoverTarget="account-menu" aria-label="Account">
      <Avatar name={name} size={36} aria-hidden="true">
        {initial}
      </Avatar>
    </UnstyledButton>
    <div id="account-menu" popover="auto" className={classes.popover}>
      <div className={classes.accountHead}>
        <bdi className={classes.personName}>{name}</bdi>
        <span className={classes.personEmail}>{email}</span>
      </div>
      <Link to={paths.account} className={classes.popoverItem} onClick={hideMenu}>
        <IconUser size={20} stroke={1.5} aria-hidden="true" />
        Account
      </Link>
      <ColorSchemeItem />
      <LogoutItem />
    </div>
  </div>
)

const hideMenu = () => document.getElementById('account-menu')?.hidePopover()
