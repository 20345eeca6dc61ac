import type { ComponentType } from 'react'
import { paths } from '#web/paths.ts'
import { type OwnFile, ownFile } from '#web/ui/own-file.ts'

export const frameFile = ownFile(async () => (await import('./frame/frame.tsx')).Frame)

/** Whether the page at this address stands in the frame, as all do that are for the signed in. */
export const isFramed = (path: string) => !path.startsWith(paths.auth)

/** The page at each address. */
export const pageFiles: Record<string, OwnFile<ComponentType>> = {
  [paths.auth]: ownFile(async () => (await import('#web/pages/auth-page.tsx')).AuthPage),
  [paths.verify]: ownFile(async () => (await import('#web/pages/verify-page.tsx')).VerifyPage),
  [paths.reset]: ownFile(async () => (await import('#web/pages/reset-page.tsx')).ResetPage),
  [paths.dashboard]: ownFile(async () => (await import('#web/pages/dashboard-page.tsx')).DashboardPage),
  [paths.founders]: ownFile(async () => (await import('#web/pages/founders-page.tsx')).FoundersPage),
  [paths.addFounder]: ownFile(async () => (await import('#web/pages/add-founder-page.tsx')).AddFounderPage),
  [paths.companies]: ownFile(async () => (await import('#web/pages/companies-page.tsx')).CompaniesPage),
  [paths.addCompany]: ownFile(async () => (await import('#web/pages/add-company-page.tsx')).AddCompanyPage),
  [paths.myRecords]: ownFile(async () => (await import('#web/pages/my-records-page.tsx')).MyRecordsPage),
  [paths.account]: ownFile(async () => (await import('#web/pages/account-page.tsx')).AccountPage),
}
