import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ROLE_MAX } from '#contract/limits.ts'
import type { LinkedRecord } from '#contract/link.ts'
import { RecordLink } from '#web/records/card/record-link.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import { type TypedDraft, useDraft } from '#web/session/use-draft.ts'
import { useRights } from '#web/session/use-rights.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import { tooLong } from '#web/ui/too-long.ts'
import { deleteLink, putLink } from './api.ts'
import type { Own } from './link-record-props.ts'
import classes from './linked-records.module.css'
import { RoleInput } from './role-input.tsx'
import { useNewTitle } from './title-changes.ts'

type LinkedRecordItemProps = {
  own: Own
  linkedKind: RecordKind
  link: LinkedRecord
  onDelete: () => void
}

/** A linked record: its name, its role, and what can be done with the link. */
export function LinkedRecordItem({ own, linkedKind, link, onDelete }: LinkedRecordItemProps) {
  const draft = useDraft(
    `role of ${link.id} at ${own.id}`,
    { text: link.role },
    { what: 'change', kind: own.kind.name, id: own.id, name: own.name },
  )
  const [isOpen, setOpen] = useState(false)
  const mayChange = useRights()('change')
  const isEdited = isOpen || draft.isTyped
  const [hasEdited, setHasEdited] = useState(false)
  const { mutateAsync: remove, isPending } = useMutation(deleteLink(own))
  const end = () => {
    draft.discard()
    setOpen(false)
    setHasEdited(true)
  }
  return (
    <li className={classes.item}>
      <div className={classes.what}>
        <RecordLink kind={linkedKind} record={link} />
        {link.role !== '' && (!mayChange || !isEdited) && (
          <p className={classes.quiet}>
            <bdi>{link.role}</bdi>
          </p>
        )}
      </div>
      {!mayChange ? null : isEdited ? (
        <RoleForm own={own} link={link} draft={draft} takesFocus={isOpen} onEnd={end} />
      ) : (
        <div className={classes.acts}>
          <Button
            // After the form closes, the focus returns here.
            ref={hasEdited ? focusWhenShown : null}
            variant="subtle"
            size="compact-xs"
            className={classes.act ?? ''}
            onClick={() => setOpen(true)}
          >
            {link.role === '' ? 'Add role' : 'Edit role'}
            <span className="visually-hidden"> of {link.name}</span>
          </Button>
          <Button
            variant="subtle"
            size="compact-xs"
            className={classes.act ?? ''}
            disabled={isPending}
            // A callback of `mutate` would not run, because this item is gone by then. A failure has its toast.
            onClick={() => remove(link.id).then(onDelete, () => {})}
          >
            Remove
            <span className="visually-hidden"> the link to {link.name}</span>
          </Button>
        </div>
      )}
      {mayChange && !isEdited && <FollowTitle own={own} link={link} onFollowed={() => setHasEdited(true)} />}
    </li>
  )
}

type FollowTitleProps = { own: Own; link: LinkedRecord; onFollowed: () => void }

/** Offers the new title to a role that repeats the old one. */
function FollowTitle({ own, link, onFollowed }: FollowTitleProps) {
  const title = useNewTitle(own.id, link.role)
  const { mutateAsync, isPending } = useMutation(putLink(own))
  if (title === undefined) return null
  return (
    <div role="status" className={classes.follow}>
      <p className={classes.quiet}>
        The title is now <bdi>{title}</bdi>
      </p>
      <Button
        variant="default"
        size="compact-xs"
        className={classes.link ?? ''}
        disabled={isPending}
        onClick={() => mutateAsync({ id: link.id, role: title }).then(onFollowed, () => {})}
      >
        Use as role
        <span className="visually-hidden"> at {link.name}</span>
      </Button>
    </div>
  )
}

type RoleFormProps = {
  own: Own
  link: LinkedRecord
  draft: TypedDraft<{ text: string }>
  /** False for a form that was already open when the page loaded. */
  takesFocus: boolean
  onEnd: () => void
}

/** Changes the role of a link in place. Enter saves, Escape cancels. */
function RoleForm({ own, link, draft, takesFocus, onEnd }: RoleFormProps) {
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
