import { useQuery } from '@tanstack/react-query'
import { useCurrentUser } from '#web/session/use-current-user.ts'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'
import { listNotices } from './api.ts'

const NoticesSection = lazyPart(
  'What was changed of your account could not be shown.',
  async () => (await import('./notices-section.tsx')).NoticesSection,
)

/** What a manager or the operator changed of the account, until the person has read it. Absent without such a change. */
export function Notices() {
  const { email } = useCurrentUser()
  // Not after a sign-out, which this is still shown for a moment.
  const notices = useQuery({ ...listNotices, enabled: email !== '' }).data ?? []
  return notices.length > 0 && <NoticesSection notices={notices} />
}
