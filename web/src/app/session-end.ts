import { isOtherAccount, onOtherAccount, onSessionEnd } from '#web/lib/http.ts'
import { paths } from '#web/paths.ts'
import { CURRENT_USER, checkSession, currentSession, replaceSession } from '#web/session/api.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { queryClient } from './query-client.ts'
import type { createRouter } from './router.tsx'

/** Asks who is signed in now. The page then says so (see other-account-line.tsx). */
export const followOtherAccount = () => onOtherAccount(() => void checkSession(queryClient).catch(() => {}))

/** A 401 on an authenticated call leads to `/auth`, and sign-in leads back here. A screen makes several calls: it is said once. */
export const followSessionEnd = (router: ReturnType<typeof createRouter>) => {
  let isAsking = false
  onSessionEnd(async (path) => {
    // A screen that is loading counts as shown, since its data is fetched first.
    const { pathname, search } = router.state.navigation.location ?? router.state.location
    const isSignedOut = queryClient.getQueryData(currentSession.queryKey)?.user === null
    if (isSignedOut || isAsking || pathname.startsWith(paths.auth)) return
    isAsking = true
    // A sign-in in another tab ends the session of calls that are on their way. What is typed then stays in sight.
    const isOther = await checkSession(queryClient, { open: true }).then(() => false, isOtherAccount)
    isAsking = false
    if (isOther) return
    const isMyRecords = pathname === paths.myRecords && path !== CURRENT_USER
    const sentence = isMyRecords ? 'Please log in to view your records' : 'Authentication required. Please log in.'
    toasts.error(sentence, 'session-end')
    await replaceSession(queryClient, { user: null, from: pathname + search })
  })
}
