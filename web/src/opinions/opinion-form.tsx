import { Button, Group, Textarea } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { OPINION_COMMENT_MAX, RATING_MAX } from '#contract/limits.ts'
import type { OpinionInput } from '#contract/opinion.ts'
import { lengthOf } from '#contract/plain-text.ts'
import { RatingInput } from '#web/records/form/rating-input.tsx'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import { digitOf } from '#web/ui/keys/use-single-key.ts'
import classes from './opinions.module.css'
import type { OpinionDraft } from './use-opinion-draft.ts'

const AMBER_FROM = 250

type OpinionFormProps = {
  /** The saved opinion; undefined for a first one. */
  saved: OpinionDraft | undefined
  draft: OpinionDraft
  isPending: boolean
  takesFocus: boolean
  onChange: (draft: OpinionDraft) => void
  onSave: (input: OpinionInput) => void
  onEnd: () => void
}

/**
 * A rating by stars or digits (0 is 10), and a comment. Enter saves, in the comment with Ctrl or ⌘; Escape cancels. The
 * box accepts more text than a comment can hold, so that pasted text is never cut unnoticed.
 */
export function OpinionForm({ saved, draft, isPending, takesFocus, onChange, onSave, onEnd }: OpinionFormProps) {
  const comment = draft.comment.trim()
  const length = lengthOf(comment)
  const isTooLong = length > OPINION_COMMENT_MAX
  const canSave = draft.rating > 0 && !isTooLong && !isPending
  const { cancel, cancelOnEscape } = createCancel({
    // A rating is chosen again quickly.
    isTyped: () => comment !== (saved?.comment ?? ''),
    isBusy: isPending,
    onCancel: onEnd,
  })
  const save = () => {
    if (canSave) onSave({ rating: draft.rating, comment })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    cancelOnEscape(event)
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey
    const isInComment = event.target instanceof HTMLTextAreaElement
    const isOnStars = event.target instanceof HTMLInputElement
    if (event.key === 'Enter' && (isOnStars || (isInComment && hasModifier))) {
      event.preventDefault()
      save()
    }
    const digit = digitOf(event.nativeEvent)
    if (isOnStars && digit !== undefined) {
      event.preventDefault()
      const rating = digit || RATING_MAX
      onChange({ ...draft, rating })
      event.currentTarget.querySelector<HTMLInputElement>(`input[value="${rating}"]`)?.focus()
    }
  }
  return (
    <form
      className={classes.form}
      aria-label="Your opinion"
      noValidate
      ref={takesFocus ? focusStars : null}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <RatingInput
        label="Your rating"
        description="Other fellows read it once they have given theirs."
        value={draft.rating}
        onChange={(rating) => onChange({ ...draft, rating })}
      />
      <Textarea
        label="Comment (optional)"
        classNames={{ input: classes.comment }}
        value={draft.comment}
        error={isTooLong && `Comment must be at most ${OPINION_COMMENT_MAX} characters`}
        disabled={isPending}
        onChange={(event) => onChange({ ...draft, comment: event.currentTarget.value })}
      />
      <div className={classes.foot}>
        <span className={classes.counter} data-level={levelOf(length)}>
          {length}/{OPINION_COMMENT_MAX}
        </span>
        <Group gap="xs" justify="flex-end">
          <Button variant="default" size="xs" disabled={isPending} onClick={cancel}>
            Cancel
          </Button>
          <SubmitButton size="xs" busy={isPending} disabled={!canSave} label="Save opinion" busyLabel="Saving…" />
        </Group>
      </div>
    </form>
  )
}

/** The chosen star, or the first one. */
function focusStars(form: HTMLFormElement | null) {
  const stars = form?.querySelectorAll<HTMLInputElement>('input[type=radio]')
  if (stars) ([...stars].find(({ checked }) => checked) ?? stars[0])?.focus()
}

const levelOf = (length: number) => {
  if (length >= OPINION_COMMENT_MAX) return 'red'
  return length >= AMBER_FROM ? 'amber' : undefined
}
