import { Avatar } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { initialOf } from '#web/lib/initials.ts'
import { paths } from '#web/paths.ts'
import { currentSession } from '#web/session/api.ts'
import tip from '#web/ui/icon-button.module.css'
import { Logo } from '#web/ui/logo.tsx'
import { AccountMenu } from './account-menu.tsx'
import { AddActions } from './add-actions.tsx'
import { ColorSchemeButton } from './color-scheme.tsx'
import { LogoutButton } from './logout.tsx'
import classes from './top-bar.module.css'

export const TopBar = ({ onPalette }: { onPalette: () => void }) => {
  const user = useQuery(currentSession).data?.user
  const name = user?.name.trim() || 'User'
  const initial = initialOf(name)
  return (
    <header className={classes.bar}>
      <Link to={paths.dashboard} className={classes.brand} aria-label="Sourcebook, to the dashboard">
        <Logo size={32} />
        <span className={classes.brandName}>Sourcebook</span>
      </Link>
      <AddActions />
      <div className={classes.account}>
        <Link to={paths.account} className={`${tip.root} ${classes.personLink}`} data-tip="Account">
          <span className={classes.person}>
            <bdi className={classes.personName}>{name}</bdi>
            <span className={classes.personEmail}>{user?.email}</span>
          </span>
          <Avatar name={name} size={36} aria-hidden="true">
            {initial}
          </Avatar>
          <span className="visually-hidden">Account</span>
        </Link>
        <ColorSchemeButton />
        <LogoutButton />
      </div>
      <AccountMenu onPalette={onPalette} name={name} email={user?.email ?? ''} initial={initial} />
    </header>
  )
}
