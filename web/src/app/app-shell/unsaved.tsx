import { useEffect, useState, useSyncExternalStore } from 'react'
import { drafts } from '#web/lib/drafts.ts'
import { announceTyped } from '#web/lib/typed-in-tabs.ts'
import { useOwner, useSignIn } from '#web/session/use-current-user.ts'
import { later } from '#web/ui/later.tsx'

const UnsavedLines = later(
  'What you had not saved could not be shown. It is kept in this tab.',
  async () => (await import('./unsaved-lines.tsx')).UnsavedLines,
)

/** What was not saved when the session ended or the page was left, above the screen where the person lands. */
export function Unsaved() {
  const owner = useOwner()
  const { account } = useSignIn()
  useEffect(() => {
    const end = new AbortController()
    announceTyped(account, end.signal)
    return () => end.abort()
  }, [account])
  // What is typed from now on is in sight.
  const [since] = useState(Date.now)
  const hasAny = useSyncExternalStore(drafts.subscribe, () => drafts.list(owner).some(({ at }) => at < since))
  return hasAny && <UnsavedLines account={owner} since={since} />
}
