import '#web/lib/strict-zod.ts'
import './styles.ts'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { currentSession } from '#web/auth/api.ts'
import { settings } from '#web/lib/settings.ts'
import { App } from './app.tsx'
import { queryClient } from './query-client.ts'

// For the scroll lock beneath dialogs, which writes a <style> of its own.
if (settings.cspNonce !== '') setNonce(settings.cspNonce)

// Asked beside the loading of the page's files, not after it.
void queryClient.prefetchQuery(currentSession)

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
