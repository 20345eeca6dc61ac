import { useQuery } from '@tanstack/react-query'
import type { Pipeline } from '#contract/stage.ts'
import { NOT_STARTED, statusWords } from '#contract/status.ts'
import { getPipeline } from './api.ts'
import type { PipelinePanelProps } from './panel-props.ts'
import { PanelRow } from './panel-row.tsx'
import { hasStep, StepLine } from './step-line.tsx'
import { noPipeline } from './words.ts'

/** The stage, status, fellow and next step, for those who may not change them. */
export function PipelineValues({ record }: Pick<PipelinePanelProps, 'record'>) {
  const { data } = useQuery(getPipeline(record.id))
  const pipeline: Pipeline = data ?? { ...noPipeline, ...record.pipeline }
  const { stage, status, reason, responsible } = pipeline
  return (
    <>
      <PanelRow label="Stage">
        <bdi>{stage?.name ?? NOT_STARTED}</bdi>
      </PanelRow>
      <PanelRow label="Status">
        {statusWords[status]}
        {reason && (
          <>
            {' · '}
            <bdi>{[reason.name, reason.text].filter(Boolean).join(': ')}</bdi>
          </>
        )}
      </PanelRow>
      {responsible && (
        <PanelRow label="Responsible">
          <bdi>{responsible.name}</bdi>
        </PanelRow>
      )}
      {hasStep(pipeline) && (
        <PanelRow label="Next step">
          <StepLine step={pipeline} />
        </PanelRow>
      )}
    </>
  )
}
