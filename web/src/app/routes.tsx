import { lazy, Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { paths } from '#web/paths.ts'
import { FullScreenSpinner } from '#web/ui/full-screen-spinner.tsx'
import { SessionGate, SignedInOnly, SignedOutOnly } from './guards.tsx'

// Each page is a file of its own, fetched when it is first opened.
const AuthPage = lazy(async () => ({ default: (await import('#web/pages/auth-page.tsx')).AuthPage }))
const Frame = lazy(async () => ({ default: (await import('./frame/frame.tsx')).Frame }))
const DashboardPage = lazy(async () => ({ default: (await import('#web/pages/dashboard-page.tsx')).DashboardPage }))
const FoundersPage = lazy(async () => ({ default: (await import('#web/pages/founders-page.tsx')).FoundersPage }))
const AddFounderPage = lazy(async () => ({ default: (await import('#web/pages/add-founder-page.tsx')).AddFounderPage }))
const CompaniesPage = lazy(async () => ({ default: (await import('#web/pages/companies-page.tsx')).CompaniesPage }))
const AddCompanyPage = lazy(async () => ({ default: (await import('#web/pages/add-company-page.tsx')).AddCompanyPage }))
const MyRecordsPage = lazy(async () => ({ default: (await import('#web/pages/my-records-page.tsx')).MyRecordsPage }))

export const AppRoutes = () => (
  <Suspense fallback={<FullScreenSpinner />}>
    <Routes>
      <Route element={<SessionGate />}>
        <Route element={<SignedOutOnly />}>
          <Route path={paths.auth} element={<AuthPage />} />
        </Route>
        <Route element={<SignedInOnly />}>
          <Route element={<Frame />}>
            <Route path={paths.dashboard} element={<DashboardPage />} />
            <Route path={paths.founders} element={<FoundersPage />} />
            <Route path={paths.addFounder} element={<AddFounderPage />} />
            <Route path={paths.companies} element={<CompaniesPage />} />
            <Route path={paths.addCompany} element={<AddCompanyPage />} />
            <Route path={paths.myRecords} element={<MyRecordsPage />} />
          </Route>
          <Route path="*" element={<Navigate to={paths.dashboard} replace />} />
        </Route>
      </Route>
    </Routes>
  </Suspense>
)
