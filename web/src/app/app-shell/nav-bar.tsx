import { UnstyledButton } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { getNavCounts } from '#web/data/api.ts'
import { whenIdle } from '#web/lib/idle.ts'
import { shownCount } from '#web/ui/shown-count.ts'
import { isCurrent, type NavItem, navItems, useNav } from './nav.ts'
import classes from './nav-bar.module.css'
import bar from './top-bar.module.css'

export const NavBar = () => {
  useKeyboardUp()
  const { moreItems } = useNav()
  return (
    <nav className={classes.nav} aria-label="Main">
      <ul className={classes.navList}>
        {navItems.map((item) => (
          <NavEntry key={item.to} item={item} />
        ))}
        <More items={moreItems} />
      </ul>
      <ul className={`${classes.navList} ${classes.navMore}`}>
        {moreItems.map((item) => (
          <NavEntry key={item.to} item={item} />
        ))}
      </ul>
    </nav>
  )
}

function NavEntry({ item }: { item: NavItem }) {
  const { pathname } = useLocation()
  const { to, label, short, Icon } = item
  const count = useCount(item)
  return (
    <li className={classes.navEntry}>
      <Link
        to={to}
        className={classes.navLink}
        // Phones show a short label. An entry with a number has one for all widths.
        aria-label={count === '' ? label : undefined}
        aria-current={isCurrent(item, pathname) ? 'page' : undefined}
      >
        <Icon size={22} stroke={1.5} aria-hidden="true" />
        <span className={classes.navLong}>{label}</span>
        <span className={classes.navShort}>{short}</span>
        {count !== '' && <Count item={item} count={count} />}
      </Link>
    </li>
  )
}

/** On narrow screens, the entries below the hairline of the sidebar. A native popover. */
function More({ items }: { items: NavItem[] }) {
  const { pathname } = useLocation()
  const isAny = items.some((item) => isCurrent(item, pathname))
  return (
    <li className={`${classes.navEntry} ${classes.moreEntry}`}>
      <UnstyledButton className={classes.navLink ?? ''} popoverTarget="more-menu" data-current={isAny || undefined}>
        <IconDots size={22} stroke={1.5} aria-hidden="true" />
        <span className={classes.navShort}>More</span>
      </UnstyledButton>
      <div id="more-menu" popover="auto" className={`${bar.popover} ${classes.moreMenu}`}>
        {items.map((item) => (
          <MoreEntry key={item.to} item={item} />
        ))}
      </div>
    </li>
  )
}

function MoreEntry({ item }: { item: NavItem }) {
  const { pathname } = useLocation()
  const count = useCount(item)
  return (
    <Link
      to={item.to}
      className={bar.popoverItem}
      aria-current={isCurrent(item, pathname) ? 'page' : undefined}
      onClick={hideMore}
    >
      <item.Icon size={20} stroke={1.5} aria-hidden="true" />
      {item.label}
      {count !== '' && <Count item={item} count={count} />}
    </Link>
  )
}

const Count = ({ item, count }: { item: NavItem; count: string }) => (
  <span className={classes.navCount}>
    {count}
    <span className="visually-hidden"> {item.count?.words}</span>
  </span>
)

/** The number beside an entry, asked for when the browser is idle, so that no row waits for it. Empty for none. */
function useCount({ count }: NavItem): string {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => whenIdle(() => setIdle(true)), [])
  const { data } = useQuery({ ...getNavCounts, enabled: isIdle && count !== undefined })
  return count ? shownCount(data?.[count.of]) : ''
}

const hideMore = () => document.getElementById('more-menu')?.hidePopover()

/** Lower than any on-screen keyboard, higher than the bars that a browser shows and hides. */
const KEYBOARD_MIN_PX = 150

/** Marks the root element while an on-screen keyboard covers a part of the page, for the styles of the bars. */
const useKeyboardUp = () =>
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    const mark = () => {
      // Zooming in makes the visible part smaller too.
      const covered = window.innerHeight - viewport.height * viewport.scale
      document.documentElement.toggleAttribute('data-keyboard', covered > KEYBOARD_MIN_PX)
    }
    viewport.addEventListener('resize', mark)
    return () => {
      viewport.removeEventListener('resize', mark)
      document.documentElement.removeAttribute('data-keyboard')
    }
  }, [])
