import { Button } from '@mantine/core'
import { useState } from 'react'
import { focusWhenShown } from '#web/ui/focus.ts'
import { StageForm, useStageDraft } from './stage-form.tsx'

/** Adds a stage after the last one. */
export function AddStage() {
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
