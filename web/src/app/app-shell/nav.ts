import {
  IconArrowMerge,
  IconChartBar,
  IconFileImport,
  IconFolders,
  IconLayoutDashboard,
  IconLayoutKanban,
  IconUsersGroup,
  type TablerIcon,
} from '@tabler/icons-react'
import { kinds } from '#web/kinds.ts'
import { addPath, paths, searchPath } from '#web/paths.ts'
import { useRight } from '#web/session/use-right.ts'

export type NavItem = { to: string; label: string; short: string; Icon: TablerIcon; exact?: boolean }

/** The main navigation: sidebar on wide screens, bottom bar (with the short names) on narrow ones. */
export const navItems: NavItem[] = [
  { to: paths.dashboard, label: 'Dashboard', short: 'Dashboard', Icon: IconLayoutDashboard, exact: true },
  ...kinds.map((kind) => ({
    to: searchPath(kind),
    label: `Search ${kind.plural}`,
    short: kind.plural,
    Icon: kind.icons.search,
  })),
  { to: paths.myRecords, label: 'My Records', short: 'My Records', Icon: IconFolders },
]

/** Below a hairline in the sidebar; on narrow screens in the menu of the avatar. */
const moreItems: NavItem[] = [
  { to: paths.pipeline, label: 'Pipeline', short: 'Pipeline', Icon: IconLayoutKanban },
  { to: paths.duplicates, label: 'Duplicates', short: 'Duplicates', Icon: IconArrowMerge },
  { to: paths.import, label: 'Import and export', short: 'Import', Icon: IconFileImport },
  { to: paths.myFigures, label: 'My figures', short: 'Figures', Icon: IconChartBar },
]

/** For managers, after the others. */
const managerItems: NavItem[] = [{ to: paths.programme, label: 'Programme', short: 'Programme', Icon: IconUsersGroup }]

export const useMoreItems = (): NavItem[] => (useRight('programme') ? [...moreItems, ...managerItems] : moreItems)

/** The Add buttons of the top bar. */
export const addActions = kinds.map((kind) => ({ to: addPath(kind), label: `Add ${kind.label}` }))
