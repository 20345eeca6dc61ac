import { NativeSelect } from '@mantine/core'
import { IconAlarm, IconChevronDown } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Pipeline } from '#contract/stage.ts'
import { NOT_STARTED, type Status } from '#contract/status.ts'
import { takesAlong } from '#web/pipeline/along.ts'
import { AlongItem } from '#web/pipeline/along-item.tsx'
import { getPipeline, listStages } from '#web/pipeline/api.ts'
import { changePipeline } from '#web/pipeline/change-pipeline.ts'
import { StageMenu } from '#web/pipeline/stage-menu.tsx'
import { useStatusChoices } from '#web/pipeline/use-status-choices.ts'
import { daysWords, limitPassed, noPipeline, type PipelineChange, stayWords } from '#web/pipeline/words.ts'
import { focusWhenLost } from '#web/ui/focus.ts'
import { useSingleKey } from '#web/ui/keys/use-single-key.ts'
import { useKeysWait } from '#web/ui/keys/waiting-keys.ts'
import { LookAgain } from './look-again.tsx'
import { NextStep } from './next-step.tsx'
import type { PanelPartProps, PipelinePanelProps } from './panel-props.ts'
import { PanelRow } from './panel-row.tsx'
import classes from './pipeline-panel.module.css'
import { Responsible } from './responsible.tsx'
import { ValueButton, ValueLink } from './value-button.tsx'

/** Shows and edits the stage, status, fellow and next step. A row looks the same whether its value is set or not. */
export function PipelinePanel({ kind, record }: PipelinePanelProps) {
  const client = useQueryClient()
  const { data } = useQuery(getPipeline(record.id))
  const pipeline: Pipeline = data ?? { ...noPipeline, ...record.pipeline }
  const [isBusy, setBusy] = useState(false)
  const [isMenuOpen, setMenuOpen] = useState(false)
  useKeysWait(isBusy)
  const panel = useRef<HTMLDivElement>(null)

  /** Returns whether it was changed. */
  const change = async (wanted: PipelineChange) => {
    if (isBusy) return false
    const saved = await changePipeline(client, {
      ...{ kind, record: { id: record.id, name: record.name, pipeline }, change: wanted },
      onSend: () => setBusy(true),
    })
    setBusy(false)
    // A part that had the focus may have gone.
    requestAnimationFrame(() => focusWhenLost(panel.current))
    return saved !== undefined
  }
  const pass = () => void change({ status: 'passed' })
  const isPassed = pipeline.status === 'passed'
  const openMenu = () => {
    // A menu whose button is out of sight is hidden.
    panel.current?.scrollIntoView({ block: 'nearest' })
    setMenuOpen(true)
  }
  useSingleKey('s', openMenu, 'Set stage')
  useSingleKey('p', isPassed ? undefined : pass, 'Pass')

  const props = { kind, record, pipeline, isBusy, change }
  return (
    <div ref={panel} tabIndex={-1} className={classes.root} aria-busy={isBusy}>
      <PanelRow label="Stage">
        <StageMenu
          label={`Stage of ${record.name}`}
          pipeline={pipeline}
          isOpen={isMenuOpen}
          setOpen={setMenuOpen}
          onChoose={(wanted) => void change(wanted)}
          below={takesAlong(kind) && <AlongItem {...{ kind, record }} stageId={pipeline.stage?.id ?? null} />}
        >
          <ValueButton
            aria-label={`Stage: ${pipeline.stage?.name ?? NOT_STARTED}`}
            aria-keyshortcuts="S"
            title="Set the stage (S)"
          >
            <bdi>{pipeline.stage?.name ?? NOT_STARTED}</bdi>
          </ValueButton>
        </StageMenu>
      </PanelRow>
      <DaysInStage pipeline={pipeline} />
      <StatusRow {...props} pass={isPassed ? undefined : pass} />
      <LookAgain key={`again ${record.id}`} {...props} />
      <Responsible {...props} />
      <NextStep key={record.id} {...props} />
    </div>
  )
}

const DaysInStage = ({ pipeline }: { pipeline: Pipeline }) => {
  const { data: stages = [] } = useQuery(listStages)
  if (!pipeline.stage || pipeline.daysInStage === null) return null
  const limit = limitPassed(pipeline, stages)
  return (
    <p className={classes.quiet} data-late={limit !== undefined || undefined}>
      {limit !== undefined && <IconAlarm size={14} stroke={1.5} aria-hidden="true" className={classes.alarm} />}
      {stayWords(pipeline.daysInStage)}
      {limit !== undefined && `, over its limit of ${daysWords(limit)}`}
    </p>
  )
}

type StatusRowProps = PanelPartProps & { pass: (() => void) | undefined }

const StatusRow = ({ pipeline: { status, reason }, isBusy, change, pass }: StatusRowProps) => (
  <>
    <PanelRow label="Status" of="pipeline-status">
      <NativeSelect
        id="pipeline-status"
        size="xs"
        classNames={{ root: classes.select, input: classes.selected }}
        rightSection={<IconChevronDown size={14} stroke={1.5} aria-hidden="true" />}
        data={useStatusChoices(status)}
        value={status}
        disabled={isBusy}
        onChange={({ currentTarget }) => void change({ status: currentTarget.value as Status })}
      />
      {pass && (
        <ValueLink aria-keyshortcuts="P" title="Pass (P)" disabled={isBusy} onClick={pass}>
          Pass…
        </ValueLink>
      )}
    </PanelRow>
    {reason && (
      <p className={classes.quiet}>
        <bdi>{reason.name}</bdi>
        {reason.text && (
          <>
            {': '}
            <bdi>{reason.text}</bdi>
          </>
        )}
      </p>
    )}
  </>
)
