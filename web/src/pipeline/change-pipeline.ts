import type { QueryClient } from '@tanstack/react-query'
import type { Pipeline } from '#contract/stage.ts'
import { ApiError, sentenceOf } from '#web/lib/http.ts'
import { refetchRecord } from '#web/records/cache/list-cache.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { type Companion, companionKindOf, findCompanion, movesAlong, takesAlong } from './along.ts'
import { putPipeline, refetchPipelineLists, refetchPipelines, showPipeline } from './api.ts'
import { askConflict, askReason } from './prompts/prompts.ts'
import { hasAlready, hasConflict, noPipeline, type PipelineChange } from './words.ts'

type Moved = { id: string; name: string; pipeline?: Pipeline | undefined }

type ChangeOptions = {
  kind: RecordKind
  record: Moved
  change: PipelineChange
  /** Called when the change is sent, after the reason for passing was given. */
  onSend?: () => void
}

const OFFLINE = 'We couldn’t reach the server, so nothing was changed. Try again in a moment.'

/**
 * The one way in which a screen changes the pipeline of a record, whether by panel, key, menu or drag. It asks for the reason
 * before passing, and again when someone else was first. Returns the new pipeline; undefined when nothing was changed, for which
 * there was a sentence if the person has not cancelled.
 */
export async function changePipeline(
  client: QueryClient,
  { kind, record, change: wanted, onSend }: ChangeOptions,
): Promise<Pipeline | undefined> {
  const isPass = wanted.status === 'passed'
  const answer = isPass && !wanted.reason ? await askReason(kind.name, record) : undefined
  const reason = isPass ? (wanted.reason ?? answer?.reason) : undefined
  if (isPass && !reason) return undefined
  const { lookAgainOn } = answer ?? {}
  const change = reason ? { ...wanted, reason, ...(lookAgainOn && { lookAgainOn }) } : wanted
  onSend?.()
  try {
    const saved = await send(client, { kind, record, change })
    if (saved) answer?.onPassed()
    return saved
  } catch (failure) {
    const isLost = failure instanceof ApiError && failure.status === 0
    toasts.failure(failure, isLost ? OFFLINE : sentenceOf(failure, 'This could not be changed'))
    // A lost answer may hide a change that was made.
    void refetchRecord(client, kind, record.id)
    void refetchPipelines(client, [record.id])
    return undefined
  }
}

async function send(
  client: QueryClient,
  { kind, record, change }: Pick<ChangeOptions, 'kind' | 'record' | 'change'>,
): Promise<Pipeline | undefined> {
  let seen: Partial<Pipeline> & { version: number } = record.pipeline ?? noPipeline
  for (;;) {
    const companion = await companionOf(client, { kind, record, change })
    try {
      const input = {
        ...change,
        ...(companion && { withCompany: { id: companion.id, version: companion.version } }),
        version: seen.version,
      }
      const saved = await putPipeline(record.id, input)
      showPipeline(client, kind, record.id, saved)
      if (companion) {
        void refetchRecord(client, companionKindOf(kind), companion.id)
        toasts.success(`${companion.name} moved along`)
      }
      void refetchPipelines(client, [record.id, ...(companion ? [companion.id] : [])])
      void refetchPipelineLists(client, kind)
      return saved
    } catch (failure) {
      const current = conflictIn(failure)
      // The company that moves along has changed: its version is fetched again.
      if (current && companion && (failure as ApiError).recordId === companion.id) {
        if (!(await askConflict({ record: companion, current, change: { stage: change.stage ?? null } })))
          return undefined
        continue
      }
      if (!current) throw failure
      showPipeline(client, kind, record.id, current)
      void refetchPipelines(client, [record.id])
      void refetchPipelineLists(client, kind)
      if (hasAlready(current, change)) return current
      if (hasConflict(change, seen, current) && !(await askConflict({ record, current, change }))) return undefined
      seen = current
    }
  }
}

/** What moves along with this change, if anything. */
async function companionOf(
  client: QueryClient,
  { kind, record, change }: Pick<ChangeOptions, 'kind' | 'record' | 'change'>,
): Promise<Companion | undefined> {
  if (change.stage === undefined || !takesAlong(kind) || !movesAlong.isOn()) return undefined
  const companion = await findCompanion(client, kind, { id: record.id, stageId: record.pipeline?.stage?.id ?? null })
  return companion?.stageId === change.stage ? undefined : companion
}

const conflictIn = (failure: unknown) =>
  failure instanceof ApiError && failure.status === 409 ? (failure.current as Pipeline | undefined) : undefined
