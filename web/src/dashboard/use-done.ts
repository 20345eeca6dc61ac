import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { NextStep } from '#contract/board.ts'
import { kinds } from '#web/kinds.ts'
import { noPipeline } from '#web/pipeline/words.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { toasts } from '#web/ui/states/toasts.tsx'

/** Not part of the first screen. */
const importChange = () => import('#web/pipeline/change-pipeline.ts')

/** Ends a next step, with a toast that brings it back. `isBusy` while one is on its way, `hasBegun` from the first on. */
export function useDone() {
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [hasBegun, setBegun] = useState(false)
  const done = async ({ kind: name, record, nextStep, nextOn, stage, status, version }: NextStep) => {
    if (isBusy) return
    setBusy(true)
    setBegun(true)
    const kind = kinds.find((one) => one.name === name) as RecordKind
    const pipeline = { ...noPipeline, nextStep, nextOn, stage, status, version }
    const change = { nextStep: null, nextOn: null }
    const { changePipeline } = await importChange().catch(() => ({ changePipeline: undefined }))
    const saved = await changePipeline?.(client, { kind, record: { ...record, pipeline }, change })
    setBusy(false)
    if (!changePipeline) toasts.error('This could not be changed. Try again in a moment.')
    if (!changePipeline || !saved) return
    const bringBack = () =>
      changePipeline(client, { kind, record: { ...record, pipeline: saved }, change: { nextStep, nextOn } })
    toasts.withActions(`Done: ${nextStep ?? 'the next step'} (${record.name})`, {
      label: 'Undo',
      onAct: () => void bringBack(),
    })
  }
  return { done, isBusy, hasBegun }
}
