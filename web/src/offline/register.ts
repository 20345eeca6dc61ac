import { settings } from '#web/lib/settings.ts'
import { offerToReplace } from './open-form.ts'

/** Keeps what the add forms need without a network. Where the operator has switched it off, nothing is registered. */
export async function keepAddForms(): Promise<void> {
  if (!settings.serviceWorker || !('serviceWorker' in navigator)) return
  // A browser may refuse, as in a private window. Then the forms need a network to open.
  const registration = await navigator.serviceWorker.register('/worker.js').catch(() => undefined)
  if (!registration) return
  void offerToReplace()
  registration.addEventListener('updatefound', () => {
    const { installing } = registration
    installing?.addEventListener('statechange', () => installing.state === 'installed' && void offerToReplace())
  })
}
