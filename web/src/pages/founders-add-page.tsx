import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { currentSession } from '#web/auth/api.ts'
import { FounderForm } from '#web/founders/founder-form.tsx'
import { paths } from '#web/paths.ts'
import { Page } from '#web/ui/page.tsx'

export const AddFounderPage = () => {
  const navigate = useNavigate()
  const { data: session } = useQuery(currentSession)
  return (
    <Page title="Add Founder" narrow>
      <FounderForm account={session?.user?.email ?? ''} onClose={() => navigate(paths.founders)} />
    </Page>
  )
}
