import { Button, Group, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type Person, PersonChange } from '#contract/programme.ts'
import { useDraft } from '#web/session/use-draft.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { Modal } from '#web/ui/dialogs/modal.tsx'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { useCheckedForm } from '#web/ui/use-checked-form.ts'
import { changePerson } from './api.ts'

const texts = {
  name: { title: 'Rename', label: 'Name', about: 'Everything they added shows the new name.' },
  email: { title: 'Change address', label: 'Email', about: 'They sign in with the new address. Their sessions end.' },
}

type ChangePersonProps = { person: Person; what: 'name' | 'email'; onEnd: () => void }

/** Changes the name or the address of a person. */
export function ChangePerson({ person, what, onEnd }: ChangePersonProps) {
  const { title, label, about } = texts[what]
  const start = { [what]: person[what] } as { name: string; email: string }
  const draft = useDraft(`${what} of ${person.id}`, start)
  const { form, focusFirst, showFailure } = useCheckedForm({ schema: PersonChange, start, draft })
  const { mutate, isPending } = useMutation(changePerson)
  const submit = (typed: typeof start) =>
    mutate(
      { id: person.id, [what]: typed[what] },
      {
        onSuccess: () => {
          draft.discard()
          toasts.success(`${label} changed to ${typed[what].trim()}`)
          onEnd()
        },
        onError: (failure) => showFailure(failure, 'This could not be changed'),
      },
    )
  const { cancel } = createCancel({
    isTyped: () => draft.isTyped,
    isBusy: isPending,
    onCancel: () => {
      draft.discard()
      onEnd()
    },
  })
  return (
    <Modal opened onClose={cancel} withCloseButton={false} centered>
      <Modal.Title fw={600} mb={4}>
        {title} <bdi>{person.name || person.email}</bdi>
      </Modal.Title>
      <form noValidate aria-label={title} onSubmit={form.onSubmit(submit, focusFirst)}>
        <Text size="sm" mb="sm">
          {about}
        </Text>
        <TextInput label={label} required readOnly={isPending} data-autofocus {...form.getInputProps(what)} />
        <Group mt="md" justify="flex-end">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <SubmitButton busy={isPending} label="Save" busyLabel="Saving…" />
        </Group>
      </form>
    </Modal>
  )
}
