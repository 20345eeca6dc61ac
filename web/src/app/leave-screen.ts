import { toasts } from '#web/ui/toasts.tsx'
import type { createRouter } from './router.tsx'

/** Toasts about failures go with their screen, as soon as another screen begins to load. */
export function hideFailuresOnLeave(router: ReturnType<typeof createRouter>) {
  const shown = ({ navigation, location }: typeof router.state) => (navigation.location ?? location).pathname
  let pathname = shown(router.state)
  router.subscribe((state) => {
    const next = shown(state)
    if (next !== pathname) toasts.hideFailures()
    pathname = next
  })
}
