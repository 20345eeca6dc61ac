import type { KindName } from '#contract/kinds.ts'
import type { Pipeline } from '#contract/stage.ts'
import type { PipelineChange } from '#web/pipeline/words.ts'
import { holdKeys } from '#web/ui/keys/waiting-keys.ts'

// Questions that come before a move is made, or made again. The screen that mounts `PipelinePrompts` shows them.

type Subject = { id: string; name: string }

/** What is passed: a record, or several of a kind, which are counted: `5 founders`. */
type Passed = Subject | { count: string }

export type ReasonChoice = { id: string; text?: string }

/**
 * The reason, and the day to look again if any. `onPassed` is called once the record is passed. Until then what was typed is
 * kept.
 */
export type ReasonAnswer = { reason: ReasonChoice; lookAgainOn?: string; onPassed: () => void }

/** What someone else has made of a record meanwhile, and what the person wants. */
export type Conflict = { record: Subject; current: Pipeline; change: PipelineChange }

export type Prompt =
  | {
      what: 'reason'
      kind: KindName
      passed: Passed
      onShown: () => void
      answer: (answer: ReasonAnswer | undefined) => void
    }
  | { what: 'conflict'; conflict: Conflict; answer: (isMine: boolean) => void }

let show: ((prompt: Prompt) => void) | undefined

/** Sets the function that shows the questions, until the returned function is called. */
export const onPrompt = (listener: (prompt: Prompt) => void) => {
  show = listener
  return () => {
    if (show === listener) show = undefined
  }
}

/** The reason for passing; undefined when the person cancels. */
export const askReason = (kind: KindName, passed: Passed) =>
  new Promise<ReasonAnswer | undefined>((answer) => {
    if (!show) return answer(undefined)
    // The next key is a reason, also before the question is there.
    const release = holdKeys()
    show({
      what: 'reason',
      kind,
      passed,
      onShown: release,
      answer: (reason) => {
        release()
        answer(reason)
      },
    })
  })

/** Whether the person's own change is made although someone else was first. */
export const askConflict = (conflict: Conflict) =>
  new Promise<boolean>((answer) => {
    if (show) show({ what: 'conflict', conflict, answer })
    else answer(false)
  })
