import { ACCOUNT } from '#web/account/address.ts'
import { CURRENT_USER, wasSignedIn } from '#web/auth/last-session.ts'
import { DASHBOARD } from '#web/dashboard/address.ts'
import { paths } from '#web/paths.ts'
import { firstPage } from '#web/records/first-page.ts'
import { firstSearch } from './first-search.ts'

/** What each screen asks the server first. A guess only: what is not asked for in the end is thrown away. */
const screens: Record<string, (search: string) => string[]> = {
  [paths.dashboard]: () => [DASHBOARD],
  [paths.founders]: (search) => [firstPage({ path: '/founders', search })],
  [paths.companies]: (search) => [firstPage({ path: '/companies', search })],
  [paths.myRecords]: (search) => [
    firstPage({ path: '/founders', search, isMine: true }),
    firstPage({ path: '/companies', search, isMine: true }),
  ],
  [paths.account]: () => [ACCOUNT],
}

/** The calls that the screen at this address begins with. */
export const askedFirst = ({ pathname, search }: { pathname: string; search: string }) => [
  CURRENT_USER,
  ...(wasSignedIn() ? (screens[pathname]?.(firstSearch(search)) ?? []) : []),
]
