import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { whenIdle } from '#web/lib/idle.ts'
import { listReasons, listStages } from '#web/pipeline/api.ts'
import { type Ask, onAsk } from './asks.ts'

const importDialogs = () => import('./ask-dialogs.tsx')

type Shown = { ask: Ask } & Awaited<ReturnType<typeof importDialogs>>

/**
 * Shows the questions of `asks.ts`. With `isPreloaded`, their code and the reasons are loaded while the page is idle, so that keys
 * find them.
 */
export const PipelineAsks = ({ isPreloaded = false }: { isPreloaded?: boolean }) => {
  const client = useQueryClient()
  const [shown, setShown] = useState<Shown>()
  const [loaded, setLoaded] = useState<Awaited<ReturnType<typeof importDialogs>>>()
  useEffect(
    () =>
      isPreloaded
        ? whenIdle(() => {
            void client.prefetchQuery(listReasons)
            void client.prefetchQuery(listStages)
            importDialogs().then(setLoaded, () => undefined)
          })
        : undefined,
    [client, isPreloaded],
  )
  useEffect(
    () =>
      onAsk((ask) => {
        if (loaded) return setShown({ ask, ...loaded })
        importDialogs().then(
          (dialogs) => setShown({ ask, ...dialogs }),
          // If the dialog cannot be loaded, nothing is changed.
          () => (ask.what === 'reason' ? ask.answer(undefined) : ask.answer(false)),
        )
      }),
    [loaded],
  )
  if (!shown) return null
  const { ask, ReasonDialog, ConflictDialog } = shown
  return ask.what === 'reason' ? <ReasonDialog ask={ask} /> : <ConflictDialog ask={ask} />
}
