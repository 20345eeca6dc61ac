import { Avatar, Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Bell } from '#web/inbox/bell.tsx'
import { initialOf } from '#web/lib/initials.ts'
import { paths } from '#web/paths.ts'
import { currentSession } from '#web/session/api.ts'
import tip from '#web/ui/buttons/icon-button.module.css'
import { Logo } from '#web/ui/logo.tsx'
import { AccountMenu } from './account-menu.tsx'
import { ColorSchemeButton } from './color-scheme.tsx'
import { LogoutButton } from './logout.tsx'
import { useNav } from './nav.ts'
import { SearchButton } from './search-button.tsx'
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
      <SearchButton onClick={onPalette} />
      <AddActions />
      <Bell className={classes.bell} />
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
      <AccountMenu name={name} email={user?.email ?? ''} initial={initial} />
    </header>
  )
}

const plus = <IconPlus size={18} stroke={2} aria-hidden="true" />

/** A button for each kind; on narrow screens, one button with a choice. */
function AddActions() {
  const { addActions } = useNav()
  return (
    <>
      <div className={addActions.length > 1 ? classes.addWide : classes.add}>
        {addActions.map(({ to, label }) => (
          <Button key={to} component={Link} to={to} variant="light" leftSection={plus}>
            {label}
          </Button>
        ))}
      </div>
      {addActions.length > 1 && (
        <div className={classes.addNarrow}>
          <Button variant="light" leftSection={plus} popoverTarget="add-choice">
            Add
          </Button>
          <div id="add-choice" popover="auto" className={classes.popover}>
            {addActions.map(({ to, label }) => (
              <Link key={to} to={to} className={classes.popoverItem} onClick={hideChoice}>
                {label}
              </Link>
            ))}
          </div>
        </div>
      )}
    </>
  )
}

const hideChoice = () => document.getElementById('add-choice')?.hidePopover()
