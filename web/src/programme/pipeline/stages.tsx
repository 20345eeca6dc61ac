import { Button, Paper, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { listStages } from '#web/pipeline/api.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import classes from './pipeline.module.css'
import { StageForm, useStageDraft } from './stage-form.tsx'
import { StageItem } from './stage-item.tsx'

/** The stages from met to decided, in their order. Archived ones are below. */
export function Stages() {
  const { data: stages, error, refetch } = useQuery(listStages)
  const [said, say] = useState('')
  const title = useRef<HTMLHeadingElement>(null)
  if (!stages && error) return <ErrorState title="The stages could not be loaded" error={error} retry={refetch} />
  const open = stages?.filter(({ archived }) => !archived) ?? []
  const archived = stages?.filter(({ archived }) => archived) ?? []
  const props = { last: open.length, say, onLost: () => title.current?.focus() }
  return (
    <Paper component="section" withBorder className={classes.part} aria-labelledby="stages">
      <Title ref={title} order={2} size="h4" id="stages" tabIndex={-1}>
        Stages
      </Title>
      <p className={classes.meta}>
        A record without a stage is not started. An archived stage keeps its records, and none is moved into it. One
        stage stays.
      </p>
      <p role="status" className="visually-hidden">
        {said}
      </p>
      <ol className={classes.list} aria-label="Stages in their order">
        {open.map((stage) => (
          <StageItem key={stage.id} stage={stage} {...props} />
        ))}
      </ol>
      <AddStage />
      {archived.length > 0 && (
        <>
          <Title order={3} size="h5">
            Archived
          </Title>
          <ul className={classes.list} aria-label="Archived stages">
            {archived.map((stage) => (
              <StageItem key={stage.id} stage={stage} {...props} />
            ))}
          </ul>
        </>
      )}
    </Paper>
  )
}

/** Adds a stage after the last one. */
function AddStage() {
  const [isOpen, setOpen] = useState(false)
  const [hasOpened, setOpened] = useState(false)
  const draft = useStageDraft({ name: '', limitDays: null })
  const end = () => {
    draft.discard()
    setOpen(false)
    setOpened(true)
  }
  if (isOpen || draft.isTyped)
    return <StageForm draft={draft} takesFocus={isOpen} label="New stage" button="Add" onEnd={end} />
  return (
    <div>
      <Button ref={hasOpened ? focusWhenShown : null} variant="default" onClick={() => setOpen(true)}>
        Add a stage
      </Button>
    </div>
  )
}
