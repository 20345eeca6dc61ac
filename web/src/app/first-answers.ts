import type { QueryClient } from '@tanstack/react-query'
import { currentSession } from '#web/auth/api.ts'
import { companyList, myCompanies } from '#web/companies/api.ts'
import { dashboard } from '#web/dashboard/api.ts'
import { founderList, myFounders } from '#web/founders/api.ts'
import { delay } from '#web/lib/delay.ts'
import { paths } from '#web/paths.ts'
import { firstSearch } from './first-search.ts'
import { isSnapshotShown } from './snapshot/snapshot.ts'

/** A server that takes longer than this is not waited for: the screen is drawn and says that it is loading. */
const WAITS = 250
/** What the screen looked like last is not taken away so soon for that. */
const WAITS_WITH_SNAPSHOT = 1000

/** Reads what was asked first, so that rows are drawn at once where they are here, not after what keeps their place. */
export const readFirstAnswers = (client: QueryClient, address: Location) => {
  const read = async () => {
    const { user } = await client.ensureQueryData(currentSession)
    if (user) await readRows(client, address)
  }
  return Promise.race([read(), delay(isSnapshotShown() ? WAITS_WITH_SNAPSHOT : WAITS)])
}

const readRows = (client: QueryClient, { pathname, search: query }: Location) => {
  const search = firstSearch(query)
  if (pathname === paths.dashboard) return client.prefetchQuery(dashboard)
  if (pathname === paths.founders) return client.prefetchInfiniteQuery(founderList(search))
  if (pathname === paths.companies) return client.prefetchInfiniteQuery(companyList(search))
  if (pathname !== paths.myRecords) return
  return Promise.all([
    client.prefetchInfiniteQuery(myFounders(search)),
    client.prefetchInfiniteQuery(myCompanies(search)),
  ])
}
