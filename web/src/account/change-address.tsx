import { Button, Group, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { AddressInput } from '#contract/account.ts'
import { settings } from '#web/lib/settings.ts'
import { useDraft } from '#web/session/use-draft.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { Modal } from '#web/ui/dialogs/modal.tsx'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import { useCheckedForm } from '#web/ui/use-checked-form.ts'
import { requestAddress } from './api.ts'

const TITLE = 'Change your address'
const nothing = { email: '' }

type ChangeAddressProps = { current: string; onEnd: (sentTo?: string) => void }

/** Asks for a link to another address. */
export function ChangeAddress({ current, onEnd }: ChangeAddressProps) {
  const draft = useDraft('new address', nothing)
  const { form, focusFirst, showFailure } = useCheckedForm({ schema: AddressInput, start: nothing, draft })
  const { mutate, isPending } = useMutation(requestAddress)
  const submit = (typed: typeof nothing) =>
    mutate(typed, {
      onSuccess: () => {
        draft.discard()
        onEnd(typed.email)
      },
      onError: (failure) => showFailure(failure, 'No mail could be sent. Try again in a moment.'),
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
          We send a link to the new address. Until you open it and confirm, your account keeps <bdi>{current}</bdi>.
          Then you are signed out everywhere else.
          {settings.sso.length > 0 && ' Single sign-on with the old address no longer opens this account.'}
        </Text>
        <TextInput
          label="New email"
          type="email"
          autoComplete="email"
          required
          readOnly={isPending}
          data-autofocus
          {...form.getInputProps('email')}
        />
        <Group mt="md" justify="flex-end">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <SubmitButton busy={isPending} label="Send a link" busyLabel="Sending…" />
        </Group>
      </form>
    </Modal>
  )
}
