import { useState, useSyncExternalStore } from 'react'
import { drafts } from '#web/lib/drafts.ts'
import { useCurrentUser } from '#web/session/use-current-user.ts'
import { later } from '#web/ui/later.tsx'

const UnsavedLines = later(
  'What you had not saved could not be shown. It is kept in this tab.',
  async () => (await import('./unsaved-lines.tsx')).UnsavedLines,
)

/** What was not saved when the session ended or the page was left, above the screen where the person lands. */
export function Unsaved() {
  const { email } = useCurrentUser()
  // What is typed from now on is in sight.
  const [since] = useState(Date.now)
  const hasAny = useSyncExternalStore(drafts.subscribe, () => drafts.list(email).some(({ at }) => at < since))
  return hasAny && <UnsavedLines account={email} since={since} />
}
