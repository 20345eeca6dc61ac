import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { fold } from '#contract/fold.ts'
import { NEXT_STEP_MAX } from '#contract/limits.ts'
import { capital } from '#contract/plain-text.ts'
import { useRecordLink } from '#web/filled/use-link.ts'
import { formatDay } from '#web/lib/dates.ts'
import { getPipeline, listStages } from '#web/pipeline/api.ts'
import { changePipeline } from '#web/pipeline/change-pipeline.ts'
import { noPipeline, type PipelineChange } from '#web/pipeline/words.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { useRights } from '#web/session/use-rights.ts'
import { changeTags, listTags, tagNamed } from '#web/tags/api.ts'
import { tooLong } from '#web/ui/too-long.ts'
import { correctableBy } from './links.ts'
import classes from './proposed-acts.module.css'

type Props = { kind: RecordKind; record: RecordRow }

/** What a link proposes to do with a record, each with a button. Nothing is done before the button is pressed. */
export function ProposedActs(props: Props) {
  const { kind, record } = props
  const { values, drop } = useRecordLink(kind, record.id)
  const mayChange = useRights()('change')
  const fields = correctableBy(kind).filter(({ name }) => name in values)
  const isRefused = fields.length > 0 && !record.can.edit
  const hasAct = ['stage', 'step', 'on', 'tag'].some((name) => name in values)
  if (mayChange && !hasAct && !isRefused) return null
  return (
    <section className={classes.root} aria-label="Filled in by a link">
      <p className={classes.quiet}>Filled in by a link.{mayChange ? '' : ' You can only read here.'}</p>
      {mayChange && values.stage !== undefined && (
        <ProposedStage {...props} name={values.stage} drop={() => drop('stage')} />
      )}
      {mayChange && (values.step ?? values.on) !== undefined && (
        <ProposedStep {...props} step={values.step ?? ''} on={values.on ?? ''} drop={() => drop('step', 'on')} />
      )}
      {mayChange && values.tag !== undefined && <ProposedTag {...props} name={values.tag} drop={() => drop('tag')} />}
      {mayChange && isRefused && (
        <Proposed drop={() => drop(...fields.map(({ name }) => name))}>
          {capital(fields.map(({ label }) => label).join(', '))}: only fellows who have met or noted this {kind.name}{' '}
          can correct what is here.
        </Proposed>
      )}
    </section>
  )
}

type ProposedProps = {
  children: ReactNode
  /** The button that does it, and what it is called. */
  act?: { label: string; isBusy: boolean; start: () => void } | undefined
  drop: () => void
}

/** One proposal: the question, its button, and one that sets it aside. */
const Proposed = ({ children, act, drop }: ProposedProps) => (
  <div className={classes.proposed}>
    <p className={classes.question}>{children}</p>
    <div className={classes.buttons}>
      {act && (
        <Button size="xs" loading={act.isBusy} onClick={act.start}>
          {act.label}
        </Button>
      )}
      <Button size="xs" variant="default" disabled={act?.isBusy ?? false} onClick={drop}>
        {act ? 'Not now' : 'Close'}
      </Button>
    </div>
  </div>
)

/** Changes the pipeline as the panel does, from what it is now. */
function useChange({ kind, record }: Props, onDone: () => void) {
  const client = useQueryClient()
  const { data } = useQuery(getPipeline(record.id))
  const pipeline = data ?? { ...noPipeline, ...record.pipeline }
  const [isBusy, setBusy] = useState(false)
  const start = async (change: PipelineChange) => {
    const about = { id: record.id, name: record.name, pipeline }
    const saved = await changePipeline(client, { kind, record: about, change, onSend: () => setBusy(true) })
    setBusy(false)
    if (saved) onDone()
  }
  return { pipeline, isBusy, start, isKnown: data !== undefined }
}

function ProposedStage({ name, drop, ...props }: Props & { name: string; drop: () => void }) {
  const { data: stages } = useQuery(listStages)
  const { pipeline, isBusy, start, isKnown } = useChange(props, drop)
  const stage = stages?.find((one) => !one.archived && fold(one.name) === fold(name))
  if (stages === undefined || !isKnown) return null
  if (!stage)
    return (
      <Proposed drop={drop}>
        There is no stage “<bdi>{name}</bdi>”.
      </Proposed>
    )
  if (pipeline.stage?.id === stage.id)
    return (
      <Proposed drop={drop}>
        The stage is <bdi>{stage.name}</bdi> already.
      </Proposed>
    )
  return (
    <Proposed act={{ label: 'Set stage', isBusy, start: () => void start({ stage: stage.id }) }} drop={drop}>
      Set stage to <bdi>{stage.name}</bdi>?
    </Proposed>
  )
}

function ProposedStep({ step, on, drop, ...props }: Props & { step: string; on: string; drop: () => void }) {
  const { pipeline, isBusy, start, isKnown } = useChange(props, drop)
  const fault = tooLong('Next step', step, NEXT_STEP_MAX)
  const before = [pipeline.nextStep, pipeline.nextOn && dayOf(pipeline.nextOn)].filter(Boolean).join(' · ')
  if (!isKnown) return null
  const change = { ...(step && { nextStep: step }), ...(on && { nextOn: on }) }
  return (
    <Proposed
      act={fault === undefined ? { label: 'Set next step', isBusy, start: () => void start(change) } : undefined}
      drop={drop}
    >
      Set next step to “<bdi>{[step, on && dayOf(on)].filter(Boolean).join(' · ')}</bdi>”
      {before && (
        <>
          {' '}
          in place of “<bdi>{before}</bdi>”
        </>
      )}
      ? {fault}
    </Proposed>
  )
}

const dayOf = (day: string) => formatDay(`${day}T00:00`)

function ProposedTag({ name, drop, kind, record }: Props & { name: string; drop: () => void }) {
  const { data: tags } = useQuery(listTags)
  const { mutate, isPending } = useMutation(changeTags(kind, record))
  const tag = tagNamed(tags, name)
  if (tags === undefined) return null
  if (!tag)
    return (
      <Proposed drop={drop}>
        There is no tag “<bdi>{name}</bdi>”.
      </Proposed>
    )
  if (record.tags?.some(({ id }) => id === tag.id))
    return (
      <Proposed drop={drop}>
        It has the tag <bdi>{tag.name}</bdi> already.
      </Proposed>
    )
  const add = () => mutate({ add: tag.name }, { onSuccess: drop })
  return (
    <Proposed act={{ label: 'Add tag', isBusy: isPending, start: add }} drop={drop}>
      Add the tag <bdi>{tag.name}</bdi>?
    </Proposed>
  )
}
