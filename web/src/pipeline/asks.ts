import type { Pipeline } from '#contract/stage.ts'
import type { PipelineChange } from './words.ts'

// Questions that come before a move is made, or made again. The screen that mounts `PipelineAsks` shows them.

type Subject = { name: string }

export type ReasonChoice = { id: string; text?: string }

/** What someone else has made of a record meanwhile, and what the person wants. */
export type Contest = { record: Subject; current: Pipeline; change: PipelineChange }

export type Ask =
  | { what: 'reason'; record: Subject; answer: (reason: ReasonChoice | undefined) => void }
  | { what: 'contest'; contest: Contest; answer: (isMine: boolean) => void }

let show: ((ask: Ask) => void) | undefined

/** Sets the function that shows the questions, until the returned function is called. */
export const onAsk = (listener: (ask: Ask) => void) => {
  show = listener
  return () => {
    if (show === listener) show = undefined
  }
}

/** The reason for passing; undefined when the person cancels. */
export const askReason = (record: Subject) =>
  new Promise<ReasonChoice | undefined>((answer) => {
    if (show) show({ what: 'reason', record, answer })
    else answer(undefined)
  })

/** Whether the person's own change is made although someone else was first. */
export const askContest = (contest: Contest) =>
  new Promise<boolean>((answer) => {
    if (show) show({ what: 'contest', contest, answer })
    else answer(false)
  })
