import { Button, Group, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { AllowInput, type Person } from '#contract/programme.ts'
import { useDraft } from '#web/session/use-draft.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { Modal } from '#web/ui/dialogs/modal.tsx'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { useCheckedForm } from '#web/ui/use-checked-form.ts'
import { allowAddress } from './api.ts'

const nothing = { email: '' }
const TITLE = 'Allow another spelling'

/** Lets an address sign up that was refused because it is another spelling of a disabled one. */
export function AllowSpelling({ person, onEnd }: { person: Person; onEnd: () => void }) {
  const draft = useDraft(`spelling of ${person.id}`, nothing)
  const { form, focusFirst, showFailure } = useCheckedForm({ schema: AllowInput, start: nothing, draft })
  const { mutate, isPending } = useMutation(allowAddress)
  const submit = (typed: { email: string }) =>
    mutate(typed, {
      onSuccess: () => {
        draft.discard()
        toasts.success(`${typed.email} may sign up`)
        onEnd()
      },
      onError: (failure) => showFailure(failure, 'This could not be allowed'),
    })
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
        {TITLE}
      </Modal.Title>
      <form noValidate aria-label={TITLE} onSubmit={form.onSubmit(submit, focusFirst)}>
        <Text size="sm" mb="sm">
          <bdi>{person.email}</bdi> cannot sign in, so addresses that differ from it only by dots or a +tag cannot sign
          up either. If one of them is of another person, allow it here. They sign up as everyone else does.
        </Text>
        <TextInput
          label="Refused email"
          type="email"
          required
          readOnly={isPending}
          data-autofocus
          {...form.getInputProps('email')}
        />
        <Group mt="md" justify="flex-end">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <SubmitButton busy={isPending} label="Allow" busyLabel="Allowing…" />
        </Group>
      </form>
    </Modal>
  )
}
