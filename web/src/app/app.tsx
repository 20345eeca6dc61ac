import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { BrowserRouter } from 'react-router'
import { settings } from '#web/lib/settings.ts'
import { ErrorBoundary } from '#web/ui/error-boundary.tsx'
import { OTHERS_STAY, TOASTS_AT_ONCE } from '#web/ui/toasts.tsx'
import { CrashScreen } from './crash-screen.tsx'
import { OfflineBar } from './offline-bar.tsx'
import { queryClient } from './query-client.ts'
import { AppRoutes } from './routes.tsx'
import { theme } from './theme.ts'

export const App = () => (
  <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => settings.cspNonce}>
    <QueryClientProvider client={queryClient}>
      <OfflineBar />
      <ErrorBoundary fallback={<CrashScreen />}>
        <BrowserRouter>
          <AppRoutes />
        </BrowserRouter>
      </ErrorBoundary>
      <Notifications
        position="top-right"
        autoClose={OTHERS_STAY}
        limit={TOASTS_AT_ONCE}
        containerWidth={380}
        transitionDuration={180}
      />
    </QueryClientProvider>
  </MantineProvider>
)
