import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ROLE_MAX } from '#contract/limits.ts'
import type { LinkedRecord } from '#contract/link.ts'
import type { TypedDraft } from '#web/session/use-draft.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import { tooLong } from '#web/ui/too-long.ts'
import { putLink } from './api.ts'
import type { Own } from './link-record-props.ts'
import classes from './linked-records.module.css'
import { RoleInput } from './role-input.tsx'

type RoleFormProps = {
  own: Own
  link: LinkedRecord
  draft: TypedDraft<{ text: string }>
  /** False for a form that was already open when the page loaded. */
  takesFocus: boolean
  onEnd: () => void
}

/** Changes the role of a link in place. Enter saves, Escape cancels. */
export function RoleForm({ own, link, draft, takesFocus, onEnd }: RoleFormProps) {
  const role = draft.values.text
  const { mutateAsync, isPending } = useMutation(putLink(own))
  const { cancel, cancelOnEscape } = createCancel({ isTyped: () => draft.isTyped, isBusy: isPending, onCancel: onEnd })
  return (
    <form
      className={classes.form}
      aria-label={`Edit the role of ${link.name}`}
      onKeyDown={cancelOnEscape}
      onSubmit={(event) => {
        event.preventDefault()
        if (!tooLong('Role', role, ROLE_MAX)) void mutateAsync({ id: link.id, role }).then(onEnd, () => undefined)
      }}
    >
      <RoleInput
        ref={takesFocus ? focusWhenShown : null}
        label="Role"
        role={role}
        disabled={isPending}
        onRole={(text) => draft.change({ text })}
      />
      <Group gap="xs" justify="flex-end">
        <Button variant="default" size="xs" disabled={isPending} onClick={cancel}>
          Cancel
        </Button>
        <SubmitButton size="xs" busy={isPending} label="Save" busyLabel="Saving…" />
      </Group>
    </form>
  )
}
