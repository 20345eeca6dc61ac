import { Button, Group } from '@mantine/core'
import { useId } from 'react'
import { focusWhenShown } from '#web/ui/focus.ts'
import classes from './opinions.module.css'

type RevealQuestionProps = { isPending: boolean; onReveal: () => void; onCancel: () => void }

/** Asked in place, so that a meeting needs no dialog for it. Escape cancels. */
export function RevealQuestion({ isPending, onReveal, onCancel }: RevealQuestionProps) {
  const [title, text] = [useId(), useId()]
  return (
    <fieldset
      aria-labelledby={title}
      aria-describedby={text}
      className={classes.question}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !isPending) onCancel()
      }}
    >
      <p id={title} className={classes.summary}>
        Reveal these opinions to everyone?
      </p>
      <p id={text} className={classes.quiet}>
        Opinions that are given later are marked. This cannot be undone.
      </p>
      <Group gap="xs" justify="flex-end">
        <Button variant="default" size="xs" disabled={isPending} onClick={onCancel}>
          Cancel
        </Button>
        <Button ref={focusWhenShown} size="xs" disabled={isPending} onClick={onReveal}>
          Reveal
        </Button>
      </Group>
    </fieldset>
  )
}
