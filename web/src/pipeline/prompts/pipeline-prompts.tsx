import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { whenIdle } from '#web/lib/idle.ts'
import { listReasons, listStages } from '#web/pipeline/api.ts'
import { onPrompt, type Prompt } from './prompts.ts'

const importDialogs = () => import('./prompt-dialogs.tsx')

type Shown = { prompt: Prompt } & Awaited<ReturnType<typeof importDialogs>>

/**
 * Shows the questions of `prompts.ts`. With `isPreloaded`, their code and the reasons are loaded while the page is idle, so that keys
 * find them.
 */
export const PipelinePrompts = ({ isPreloaded = false }: { isPreloaded?: boolean }) => {
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
      onPrompt((prompt) => {
        if (loaded) return setShown({ prompt, ...loaded })
        importDialogs().then(
          (dialogs) => setShown({ prompt, ...dialogs }),
          // If the dialog cannot be loaded, nothing is changed.
          () => (prompt.what === 'reason' ? prompt.answer(undefined) : prompt.answer(false)),
        )
      }),
    [loaded],
  )
  if (!shown) return null
  const { prompt, ReasonDialog, ConflictDialog } = shown
  return prompt.what === 'reason' ? <ReasonDialog prompt={prompt} /> : <ConflictDialog prompt={prompt} />
}
