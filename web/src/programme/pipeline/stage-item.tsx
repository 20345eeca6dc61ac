import { Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Stage, StagePatch } from '#contract/stage.ts'
import { daysWords } from '#web/pipeline/words.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { changeStage } from './api.ts'
import classes from './pipeline.module.css'
import { StageForm, useStageDraft } from './stage-form.tsx'

type StageItemProps = {
  stage: Stage
  /** The position of the last stage. */
  last: number
  /** Announces what has changed. */
  say: (sentence: string) => void
  /** Takes the focus when the button that had it is gone. */
  onLost: () => void
}

/** A stage with its place, its name and its limit, each of which can be changed. */
export function StageItem({ stage, last, say, onLost }: StageItemProps) {
  const { id, name, position, archived, limitDays } = stage
  const [isEditing, setEditing] = useState(false)
  const [hasEdited, setEdited] = useState(false)
  const item = useRef<HTMLLIElement>(null)
  const { mutate, isPending } = useMutation(changeStage)
  const change = (change: StagePatch, done: string, onDone: () => void = () => {}) =>
    mutate(
      { id, ...change },
      {
        onSuccess: () => {
          say(done)
          onDone()
        },
        onError: (failure) => toasts.failure(failure, 'The stage could not be changed'),
      },
    )
  const moveTo = (place: number, button: 'up' | 'down') => {
    if (isPending || place < 1 || place > last) return
    change({ position: place }, `${name} is stage ${place} of ${last}`, () =>
      item.current?.querySelector<HTMLElement>(`[data-move="${button}"] button`)?.focus(),
    )
  }
  const draft = useStageDraft(stage)
  const end = () => {
    draft.discard()
    setEditing(false)
    setEdited(true)
  }
  if (isEditing || draft.isTyped)
    return (
      <li className={classes.item}>
        <StageForm
          draft={draft}
          takesFocus={isEditing}
          label={`Edit the stage ${name}`}
          button="Save"
          mutation={(input) => ({ id, ...input })}
          onEnd={end}
        />
      </li>
    )
  return (
    <li ref={item} className={classes.item}>
      <div className={classes.text}>
        <bdi className={classes.name}>{name}</bdi>
        <span className={classes.meta}>{limitDays === null ? 'No limit' : `At most ${daysWords(limitDays)}`}</span>
      </div>
      <div className={classes.acts}>
        {!archived && (
          <>
            <span data-move="up">
              <IconButton
                label={`Move ${name} up`}
                tip="Up"
                icon={<IconArrowUp size={18} stroke={1.5} />}
                onClick={() => moveTo(position - 1, 'up')}
              />
            </span>
            <span data-move="down">
              <IconButton
                label={`Move ${name} down`}
                tip="Down"
                icon={<IconArrowDown size={18} stroke={1.5} />}
                onClick={() => moveTo(position + 1, 'down')}
              />
            </span>
            <Button
              ref={hasEdited ? focusWhenShown : null}
              variant="default"
              size="xs"
              onClick={() => setEditing(true)}
            >
              Edit<span className="visually-hidden"> the stage {name}</span>
            </Button>
          </>
        )}
        <Button
          variant="default"
          size="xs"
          // The last stage stays.
          disabled={isPending || (!archived && last === 1)}
          onClick={() =>
            change({ archived: !archived }, archived ? `${name} is a stage again` : `${name} is archived`, onLost)
          }
        >
          {archived ? 'Bring back' : 'Archive'}
          <span className="visually-hidden"> the stage {name}</span>
        </Button>
      </div>
    </li>
  )
}
