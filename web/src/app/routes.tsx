import { type ComponentType, Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { paths } from '#web/paths.ts'
import { FullScreenSpinner } from '#web/ui/full-screen-spinner.tsx'
import { type OwnFile, useOwnFile } from '#web/ui/own-file.ts'
import { SessionGate, SignedInOnly, SignedOutOnly } from './guards.tsx'
import { frameFile, pageFiles } from './page-files.ts'

const InOwnFile = ({ file }: { file: OwnFile<ComponentType> }) => {
  const Part = useOwnFile(file)
  return <Part />
}

const pageAt = (path: string) => (
  <Route path={path} element={<InOwnFile file={pageFiles[path] as OwnFile<ComponentType>} key={path} />} />
)

export const AppRoutes = () => (
  <Suspense fallback={<FullScreenSpinner />}>
    <Routes>
      <Route element={<SessionGate />}>
        <Route element={<SignedOutOnly />}>{pageAt(paths.auth)}</Route>
        {pageAt(paths.verify)}
        {pageAt(paths.reset)}
        <Route element={<SignedInOnly />}>
          <Route element={<InOwnFile file={frameFile} />}>
            {pageAt(paths.dashboard)}
            {pageAt(paths.founders)}
            {pageAt(paths.addFounder)}
            {pageAt(paths.companies)}
            {pageAt(paths.addCompany)}
            {pageAt(paths.myRecords)}
            {pageAt(paths.account)}
          </Route>
          <Route path="*" element={<Navigate to={paths.dashboard} replace />} />
        </Route>
      </Route>
    </Routes>
  </Suspense>
)
