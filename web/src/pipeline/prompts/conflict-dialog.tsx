import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Pipeline, Stage } from '#contract/stage.ts'
import { NOT_STARTED, statusWords } from '#contract/status.ts'
import { formatDay } from '#web/lib/dates.ts'
import { listStages } from '#web/pipeline/api.ts'
import type { PipelineChange } from '#web/pipeline/words.ts'
import { Modal } from '#web/ui/dialogs/modal.tsx'
import classes from './dialogs.module.css'
import type { Prompt } from './prompts.ts'

/** Someone else was first: their values and the person's own, to keep one of them. Escape keeps theirs. */
export function ConflictDialog({ prompt }: { prompt: Extract<Prompt, { what: 'conflict' }> }) {
  const [open, setOpen] = useState<typeof prompt>()
  useEffect(() => setOpen(prompt), [prompt])
  const { data: stages = [] } = useQuery(listStages)
  const { record, current, change } = prompt.conflict
  const answer = (isMine: boolean) => {
    setOpen(undefined)
    prompt.answer(isMine)
  }
  return (
    <Modal
      opened={open === prompt}
      onClose={() => answer(false)}
      withCloseButton={false}
      centered
      zIndex={300}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Title fw={600} lh={1.4} mb={4}>
        Someone else changed <bdi>{record.name}</bdi> meanwhile
      </Modal.Title>
      <Text size="sm" c="dimmed">
        Nothing of yours was saved. Keep their change, or make yours now.
      </Text>
      <dl className={classes.conflict}>
        <div>
          <dt>Now</dt>
          <dd>{wordsOf(changeIn(current, change), stages, current)}</dd>
        </div>
        <div>
          <dt>Yours</dt>
          <dd>{wordsOf(change, stages, current)}</dd>
        </div>
      </dl>
      <Group mt="md" justify="flex-end">
        <Button variant="default" data-autofocus onClick={() => answer(false)}>
          Keep theirs
        </Button>
        <Button onClick={() => answer(true)}>Make my change</Button>
      </Group>
    </Modal>
  )
}

/** The current values of what the change sets, and always where the record is. */
const changeIn = (
  { stage, status, responsible, nextStep, nextOn, lookAgainOn }: Pipeline,
  change: PipelineChange,
): PipelineChange => ({
  stage: stage?.id ?? null,
  status,
  ...(change.responsible !== undefined && { responsible: responsible?.id ?? null }),
  ...(change.nextStep !== undefined && { nextStep }),
  ...(change.nextOn !== undefined && { nextOn }),
  ...(change.lookAgainOn !== undefined && { lookAgainOn: lookAgainOn ?? null }),
})

function wordsOf(change: PipelineChange, stages: readonly Stage[], current: Pipeline): string {
  const { stage, status, responsible, nextStep, nextOn, lookAgainOn } = change
  const names = [...stages, ...(current.stage ? [current.stage] : [])]
  return [
    stage !== undefined && (stage === null ? NOT_STARTED : (names.find(({ id }) => id === stage)?.name ?? 'A stage')),
    status && statusWords[status],
    responsible !== undefined &&
      (responsible === null
        ? 'no responsible fellow'
        : responsible === current.responsible?.id
          ? `responsible: ${current.responsible.name}`
          : 'another responsible fellow'),
    nextStep !== undefined && (nextStep ? `next: ${nextStep}` : 'no next step'),
    nextOn && `on ${formatDay(`${nextOn}T00:00`)}`,
    lookAgainOn && `look again on ${formatDay(`${lookAgainOn}T00:00`)}`,
  ]
    .filter(Boolean)
    .join(' · ')
}
