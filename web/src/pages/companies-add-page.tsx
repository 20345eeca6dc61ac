import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { currentSession } from '#web/auth/api.ts'
import { CompanyForm } from '#web/companies/company-form.tsx'
import { paths } from '#web/paths.ts'
import { Page } from '#web/ui/page.tsx'

export const AddCompanyPage = () => {
  const navigate = useNavigate()
  const { data: session } = useQuery(currentSession)
  return (
    <Page title="Add Company" narrow>
      <CompanyForm account={session?.user?.email ?? ''} onClose={() => navigate(paths.companies)} />
    </Page>
  )
}
