import { useEffect } from 'react'
import { NavLink } from 'react-router'
import { type NavItem, navItems, useNav } from './nav.ts'
import classes from './nav-bar.module.css'

export const NavBar = () => {
  useKeyboardUp()
  return (
    <nav className={classes.nav} aria-label="Main">
      <NavList items={navItems} className={classes.navList ?? ''} />
      <NavList items={useNav().moreItems} className={`${classes.navList} ${classes.navMore}`} />
    </nav>
  )
}

type NavListProps = { items: NavItem[]; className: string }

const NavList = ({ items, className }: NavListProps) => (
  <ul className={className}>
    {items.map(({ to, label, short, Icon, exact }) => (
      <li key={to} className={classes.navEntry}>
        <NavLink to={to} end={exact ?? false} className={classes.navLink ?? ''} aria-label={label}>
          <Icon size={22} stroke={1.5} aria-hidden="true" />
          <span className={classes.navLong}>{label}</span>
          <span className={classes.navShort}>{short}</span>
        </NavLink>
      </li>
    ))}
  </ul>
)

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
    mark()
    viewport.addEventListener('resize', mark)
    return () => {
      viewport.removeEventListener('resize', mark)
      document.documentElement.removeAttribute('data-keyboard')
    }
  }, [])
