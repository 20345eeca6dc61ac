import './styles.ts'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { kinds } from '#web/kinds.ts'
import { drafts } from '#web/lib/drafts.ts'
import { setPageAccount } from '#web/lib/http.ts'
import { takeLinkToken } from '#web/lib/link-token.ts'
import { settings } from '#web/lib/settings.ts'
import { paths } from '#web/paths.ts'
import { takeLink } from '#web/proposals/links.ts'
import { closeDialogsOnBack } from '#web/ui/dialogs/close-on-back.ts'
import { ignoreKeysOfCompositions } from '#web/ui/keys/composition.ts'
import { keepKeysOfLoadingPanels } from '#web/ui/keys/waiting-keys.ts'
import { OTHERS_STAY, TOASTS_AT_ONCE } from '#web/ui/states/toasts.tsx'
import { hideFailuresOnLeave } from './leave-screen.ts'
import { OfflineBar } from './offline-bar.tsx'
import { queryClient } from './query-client.ts'
import { createRouter } from './router.tsx'
import { followOtherAccount, followSessionEnd } from './session-end.ts'
import { theme } from './theme.ts'
import { tolerateTranslation } from './translation.ts'

takeLinkToken({ [paths.verify]: 'token', [paths.reset]: 'token', [paths.address]: 'token', [paths.auth]: 'invitation' })
takeLink(kinds)
drafts.followOtherTabs()
tolerateTranslation()
ignoreKeysOfCompositions()
keepKeysOfLoadingPanels()
setPageAccount(settings.account)

// The scroll lock of dialogs adds a <style> element, which needs the nonce.
if (settings.cspNonce !== '') setNonce(settings.cspNonce)

const router = createRouter()
followSessionEnd(router)
followOtherAccount()
hideFailuresOnLeave(router)
closeDialogsOnBack(router)

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => settings.cspNonce}>
        <QueryClientProvider client={queryClient}>
          <OfflineBar />
          {/* A transition would be drawn in slices, with a frame between any two: on a phone a quarter slower. */}
          <RouterProvider router={router} useTransitions={false} />
          <Notifications
            position="top-right"
            autoClose={OTHERS_STAY}
            limit={TOASTS_AT_ONCE}
            containerWidth={380}
            transitionDuration={180}
          />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
