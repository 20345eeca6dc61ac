import { toasts } from '#web/ui/states/toasts.tsx'
import type { createRouter } from './router.tsx'

/** Hides toasts about failures as soon as another screen starts to load. */
export function hideFailuresOnLeave(router: ReturnType<typeof createRouter>) {
  const shown = ({ navigation, location }: typeof router.state) => (navigation.location ?? location).pathname
  let pathname = shown(router.state)
  router.subscribe((state) => {
    const next = shown(state)
    if (next !== pathname) toasts.hideFailures()
    pathname = next
  })
}
