import { IconBell } from '@tabler/icons-react'
import { type ComponentType, useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { whenIdle } from '#web/lib/idle.ts'
import { paths } from '#web/paths.ts'
import tip from '#web/ui/buttons/icon-button.module.css'

/** The way to the inbox. What is new in it is loaded when the browser is idle, so that no row waits for it. */
export function Bell({ className }: { className: string | undefined }) {
  const { pathname } = useLocation()
  const [News, setNews] = useState<ComponentType>()
  useEffect(
    () =>
      whenIdle(() => {
        import('./bell-news.tsx').then(
          ({ BellNews }) => setNews(() => BellNews),
          () => undefined,
        )
      }),
    [],
  )
  return (
    <Link
      to={paths.inbox}
      className={`${tip.root} ${className}`}
      data-tip="Inbox"
      aria-current={pathname === paths.inbox ? 'page' : undefined}
    >
      <IconBell size={22} stroke={1.5} aria-hidden="true" />
      <span className="visually-hidden">Inbox</span>
      {News && <News />}
    </Link>
  )
}
