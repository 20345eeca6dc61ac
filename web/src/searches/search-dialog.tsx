import '@mantine/core/styles/Checkbox.css'
import { Button, Checkbox, Group, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { SEARCH_ABOUT_MAX, SEARCH_NAME_MAX } from '#contract/limits.ts'
import type { SavedSearch } from '#contract/saved-search.ts'
import { ApiError } from '#web/lib/http.ts'
import { idempotencyKeys } from '#web/lib/idempotency-keys.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { useOwner } from '#web/session/use-current-user.ts'
import { useDraft } from '#web/session/use-draft.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { Modal } from '#web/ui/dialogs/modal.tsx'
import { useAfterMount } from '#web/ui/dialogs/use-after-mount.ts'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { tooLong } from '#web/ui/too-long.ts'
import { createSearch, updateSearch } from './api.ts'
import { hadViews } from './had-views.ts'
import { listPath, savedQuery } from './saved-query.ts'
import classes from './views.module.css'

type SearchDialogProps = {
  kind: RecordKind
  /** Absent for a new one, of the list that the address shows. */
  search?: SavedSearch
  onClose: () => void
}

/** The name of a saved search, what is sought, and whether it is shared and pinned. */
export function SearchDialog({ kind, search, onClose }: SearchDialogProps) {
  const [isOpen = false, setOpen] = useAfterMount<boolean>(true)
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const form = `view ${search?.id ?? kind.path}`
  const place = { account: useOwner(), form }
  const { name = '', about = '', isShared = false, isPinned = false } = search ?? {}
  const draft = useDraft(form, { name, about })
  const [flags, setFlags] = useState({ isShared, isPinned })
  const create = useMutation(createSearch)
  const update = useMutation(updateSearch)
  const { isPending } = search ? update : create
  const { error } = search ? update : create
  const fields: Record<string, string> = error instanceof ApiError ? error.fields : {}
  const { values } = draft
  const faults = {
    name: tooLong('Name', values.name, SEARCH_NAME_MAX) ?? fields.name,
    about: tooLong('What is sought', values.about, SEARCH_ABOUT_MAX) ?? fields.about,
  }

  const end = () => {
    draft.discard()
    idempotencyKeys.delete(place)
    setOpen(false)
  }
  const answers = {
    onSuccess: (saved: SavedSearch) => {
      end()
      hadViews.set(kind, true)
      // The list stays as it is, under its name.
      if (!search) navigate(listPath(kind, saved), { replace: true, preventScrollReset: true })
    },
    onError: (failure: Error) => {
      const isShown = failure instanceof ApiError && ('name' in failure.fields || 'about' in failure.fields)
      if (!isShown) toasts.failure(failure, 'The view could not be saved')
    },
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    const typed = { name: values.name.trim(), about: values.about.trim(), ...flags }
    if (search) update.mutate({ id: search.id, ...typed }, answers)
    else {
      const query = savedQuery(kind, parameters)
      create.mutate({ ...typed, kind: kind.name, query, key: idempotencyKeys.of(place) }, answers)
    }
  }
  const { cancel, cancelOnEscape } = createCancel({ isTyped: () => draft.isTyped, isBusy: isPending, onCancel: end })
  const change = (typed: Partial<typeof values>) => {
    draft.change({ ...values, ...typed })
    // Another content is another request.
    idempotencyKeys.delete(place)
    create.reset()
    update.reset()
  }
  const label = search ? 'Edit view' : `Save this list of ${kind.path}`
  return (
    <Modal
      opened={isOpen}
      onClose={cancel}
      onExitTransitionEnd={onClose}
      withCloseButton={false}
      closeOnEscape={false}
      centered
      transitionProps={{ duration: 0 }}
    >
      <Modal.Title fw={600} lh={1.4} mb={12}>
        {label}
      </Modal.Title>
      <form noValidate aria-label={label} onKeyDown={cancelOnEscape} onSubmit={save}>
        <div className={classes.fields}>
          <TextInput
            data-autofocus
            label="Name"
            required
            autoComplete="off"
            value={values.name}
            error={faults.name}
            readOnly={isPending}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
          <Textarea
            label="What is sought"
            description={`Optional, at most ${SEARCH_ABOUT_MAX} characters`}
            rows={3}
            value={values.about}
            error={faults.about}
            readOnly={isPending}
            onChange={({ currentTarget }) => change({ about: currentTarget.value })}
          />
          <Checkbox
            label="Share with everyone"
            checked={flags.isShared}
            onChange={({ currentTarget: { checked } }) => {
              setFlags({ ...flags, isShared: checked })
              change({})
            }}
          />
          <Checkbox
            label="Pin before the others"
            checked={flags.isPinned}
            onChange={({ currentTarget: { checked } }) => {
              setFlags({ ...flags, isPinned: checked })
              change({})
            }}
          />
        </div>
        <Group mt="md" justify="flex-end">
          <Button variant="default" disabled={isPending} onClick={cancel}>
            Cancel
          </Button>
          <SubmitButton busy={isPending} label="Save" busyLabel="Saving…" />
        </Group>
      </form>
    </Modal>
  )
}
