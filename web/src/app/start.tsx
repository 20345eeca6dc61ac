import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { drafts } from '#web/lib/drafts.ts'
import { whenIdle } from '#web/lib/idle.ts'
import { settings } from '#web/lib/settings.ts'
import { App } from './app.tsx'
import { readFirstAnswers } from './first-answers.ts'
import { frameFile, isFramed, pageFiles } from './page-files.ts'
import { queryClient } from './query-client.ts'

// For the scroll lock beneath dialogs, which writes a <style> of its own.
if (settings.cspNonce !== '') setNonce(settings.cspNonce)

drafts.followOtherTabs()

const hasFrame = isFramed(location.pathname)

// Drawn once it can be drawn whole: a page that comes in pieces is shown later, as React lets each piece stand a while.
await Promise.allSettled([
  hasFrame && frameFile.load(),
  pageFiles[location.pathname]?.load(),
  readFirstAnswers(queryClient, location),
])
const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )

// Whoever signs in is shown it next.
if (!hasFrame) whenIdle(() => void frameFile.load().catch(() => {}))
