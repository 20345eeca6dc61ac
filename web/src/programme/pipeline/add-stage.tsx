import { Button } from '@mantine/core'
import { useState } from 'react'
import { focusWhenShown } from '#web/ui/focus.ts'
import { StageForm } from './stage-form.tsx'

/** Adds a stage after the last one. */
export function AddStage() {
  const [isOpen, setOpen] = useState(false)
  const [hasOpened, setOpened] = useState(false)
  if (isOpen)
    return (
      <StageForm start={{ name: '', limitDays: null }} label="New stage" button="Add" onEnd={() => setOpen(false)} />
    )
  return (
    <div>
      <Button
        ref={hasOpened ? focusWhenShown : null}
        variant="default"
        onClick={() => {
          setOpen(true)
          setOpened(true)
        }}
      >
        Add a stage
      </Button>
    </div>
  )
}
