import { useQuery } from '@tanstack/react-query'
import type { Pipeline } from '#contract/stage.ts'
import { NOT_STARTED, statusWords } from '#contract/status.ts'
import { formatDay } from '#web/lib/dates.ts'
import { getPipeline } from '#web/pipeline/api.ts'
import { hasStep, StepLine } from '#web/pipeline/step-line.tsx'
import { noPipeline } from '#web/pipeline/words.ts'
import type { PipelinePanelProps } from './panel-props.ts'
import { PanelRow } from './panel-row.tsx'

/** The stage, status, fellow and next step, for those who may not change them. */
export function PipelineValues({ record }: Pick<PipelinePanelProps, 'record'>) {
  const { data } = useQuery(getPipeline(record.id))
  const pipeline: Pipeline = data ?? { ...noPipeline, ...record.pipeline }
  const { stage, status, reason, lookAgainOn, responsible } = pipeline
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
      {lookAgainOn && <PanelRow label="Look again">{formatDay(`${lookAgainOn}T00:00`)}</PanelRow>}
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
