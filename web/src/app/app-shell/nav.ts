import {
  IconDatabase,
  IconFolders,
  IconLayoutDashboard,
  IconLayoutKanban,
  IconUsersGroup,
  type TablerIcon,
} from '@tabler/icons-react'
import type { NavCounts } from '#contract/nav-counts.ts'
import type { RightName } from '#contract/rights.ts'
import { dataParts } from '#web/data/parts.ts'
import { kinds } from '#web/kinds.ts'
import { addPath, paths, searchPath } from '#web/paths.ts'
import { useRights } from '#web/session/use-rights.ts'

export type NavItem = {
  to: string
  label: string
  short: string
  Icon: TablerIcon
  exact?: boolean
  /** Further addresses that belong to the entry. */
  also?: readonly string[]
  right?: RightName
  /** The number beside it, and what it counts. */
  count?: { of: keyof NavCounts; words: string }
}

/** The main navigation: sidebar on wide screens, bottom bar (with the short names) on narrow ones. */
export const navItems: NavItem[] = [
  { to: paths.dashboard, label: 'Dashboard', short: 'Dashboard', Icon: IconLayoutDashboard, exact: true },
  ...kinds.map((kind) => ({
    to: searchPath(kind),
    label: `Search ${kind.plural}`,
    short: kind.plural,
    Icon: kind.icons.search,
  })),
  { to: paths.myRecords, label: 'My Records', short: 'My Records', Icon: IconFolders, also: [paths.myFigures] },
]

/** Below a hairline in the sidebar; on narrow screens in *More*. */
const moreItems: NavItem[] = [
  { to: paths.pipeline, label: 'Pipeline', short: 'Pipeline', Icon: IconLayoutKanban },
  {
    to: paths.duplicates,
    label: 'Data',
    short: 'Data',
    Icon: IconDatabase,
    also: dataParts.map(({ to }) => to),
    count: { of: 'duplicates', words: 'duplicates' },
  },
  {
    to: paths.programme,
    label: 'Programme',
    short: 'Programme',
    Icon: IconUsersGroup,
    right: 'programme',
    count: { of: 'waiting', words: 'waiting' },
  },
]

/** The Add buttons of the top bar. */
const addActions = kinds.map((kind) => ({ to: addPath(kind), label: `Add ${kind.label}`, right: 'change' as const }))

/** Whether an entry leads to the screen at an address, or to one below it. */
export const isCurrent = ({ to, exact, also = [] }: NavItem, pathname: string): boolean =>
  [to, ...also].some((path) => pathname === path || (!exact && pathname.startsWith(`${path}/`)))

/** What the person may open. */
export function useNav() {
  const may = useRights()
  const isOpen = ({ right }: { right?: RightName }) => !right || may(right)
  return { moreItems: moreItems.filter(isOpen), addActions: addActions.filter(isOpen) }
}
