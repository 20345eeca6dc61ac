import {
  IconBuildingSkyscraper,
  IconFolders,
  IconLayoutDashboard,
  IconUserSearch,
  type TablerIcon,
} from '@tabler/icons-react'
import { paths } from '#web/paths.ts'

type NavItem = { to: string; label: string; short: string; Icon: TablerIcon; exact?: boolean }

/** The ways through the product: sidebar on wide screens, bottom bar (with the short names) on narrow ones. */
export const navItems: NavItem[] = [
  { to: paths.dashboard, label: 'Dashboard', short: 'Dashboard', Icon: IconLayoutDashboard, exact: true },
  { to: paths.founders, label: 'Search Founders', short: 'Founders', Icon: IconUserSearch },
  { to: paths.companies, label: 'Search Companies', short: 'Companies', Icon: IconBuildingSkyscraper },
  { to: paths.myRecords, label: 'My Records', short: 'My Records', Icon: IconFolders },
]

/** What can be added from anywhere. */
export const addActions: { to: string; label: string }[] = [
  { to: paths.addFounder, label: 'Add Founder' },
  { to: paths.addCompany, label: 'Add Company' },
]
