import { useEffect, useState } from 'react'
import { onAskIdentity } from '#web/session/ask-identity.ts'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'

const IdentityDialog = lazyPart(
  'The question could not be loaded.',
  async () => (await import('./identity-dialog.tsx')).IdentityDialog,
)

/** Shows the question who is signed in, when a call needs it. */
export function IdentityHost() {
  const [asked, setAsked] = useState<{ answer: (isConfirmed: boolean) => void }>()
  useEffect(() => onAskIdentity((answer) => setAsked({ answer })), [])
  if (!asked) return null
  const end = (isConfirmed: boolean) => {
    asked.answer(isConfirmed)
    setAsked(undefined)
  }
  return <IdentityDialog onEnd={end} onCloseFailed={() => end(false)} />
}
