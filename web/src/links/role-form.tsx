import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { LinkedRecord } from '#contract/link.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { createCancel } from '#web/ui/cancel-form.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { putLink } from './api.ts'
import classes from './linked-records.module.css'
import { RoleInput } from './role-input.tsx'

type RoleFormProps = { own: { kind: RecordKind; id: string }; link: LinkedRecord; onEnd: () => void }

/** Changes the role of a link in place. Enter saves, Escape cancels. */
export function RoleForm({ own, link, onEnd }: RoleFormProps) {
  const [role, setRole] = useState(link.role)
  const { mutate, isPending } = useMutation(putLink(own))
  // A role is typed again quickly.
  const { cancelOnEscape } = createCancel({ isTyped: () => false, isBusy: isPending, onCancel: onEnd })
  return (
    <form
      className={classes.form}
      aria-label={`Edit the role of ${link.name}`}
      onKeyDown={cancelOnEscape}
      onSubmit={(event) => {
        event.preventDefault()
        mutate({ id: link.id, role }, { onSuccess: onEnd })
      }}
    >
      <RoleInput ref={focusWhenShown} label="Role" role={role} disabled={isPending} onRole={setRole} />
      <Group gap="xs" justify="flex-end">
        <Button variant="default" size="xs" disabled={isPending} onClick={onEnd}>
          Cancel
        </Button>
        <SubmitButton size="xs" busy={isPending} label="Save" busyLabel="Saving…" />
      </Group>
    </form>
  )
}
