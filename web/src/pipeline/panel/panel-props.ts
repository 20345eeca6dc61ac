import type { Pipeline } from '#contract/stage.ts'
import type { PipelineChange } from '#web/pipeline/words.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'

export type PipelinePanelProps = { kind: RecordKind; record: RecordRow }

/** What the parts of the panel need. `change` returns whether it was changed. */
export type PanelPartProps = PipelinePanelProps & {
  pipeline: Pipeline
  isBusy: boolean
  change: (wanted: PipelineChange) => Promise<boolean>
}
