import '@mantine/core/styles/SegmentedControl.css'
import { Button, Group, SegmentedControl, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type ChannelKind, channelKindNames, channelKinds } from '#contract/channel-addresses.ts'
import { ChannelInput } from '#contract/channels.ts'
import { idempotencyKeys } from '#web/lib/idempotency-keys.ts'
import { useOwner } from '#web/session/use-current-user.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { Modal } from '#web/ui/dialogs/modal.tsx'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { useCheckedForm } from '#web/ui/use-checked-form.ts'
import { createChannel } from './api.ts'

/** Adds a channel. Its address is a secret, so the form is not kept. */
export function AddChannel({ onEnd }: { onEnd: () => void }) {
  const [kind, setKind] = useState<ChannelKind>('slack')
  const schema = ChannelInput.omit({ kind: true })
  const place = { account: useOwner(), form: 'channel' }
  // Another content is another request.
  const forget = () => idempotencyKeys.delete(place)
  const { form, focusFirst, showFailure } = useCheckedForm({
    ...{ schema, start: { name: '', address: '' }, onValuesChange: forget },
  })
  const { mutate, isPending } = useMutation(createChannel)
  const end = () => {
    forget()
    onEnd()
  }
  const submit = (typed: { name: string; address: string }) =>
    mutate(
      { kind, ...typed, key: idempotencyKeys.of(place) },
      {
        onSuccess: () => {
          toasts.success('The channel has been added')
          end()
        },
        onError: (failure) => showFailure(failure, 'The channel could not be added'),
      },
    )
  const { cancel } = createCancel({ isTyped: () => form.isDirty(), isBusy: isPending, onCancel: end })
  return (
    <Modal opened onClose={cancel} withCloseButton={false} centered>
      <Modal.Title fw={600} mb={8}>
        Add a channel
      </Modal.Title>
      <form noValidate aria-label="Add a channel" className="stack-12" onSubmit={form.onSubmit(submit, focusFirst)}>
        <SegmentedControl
          fullWidth
          aria-label="Chat"
          disabled={isPending}
          data={channelKindNames.map((value) => ({ value, label: channelKinds[value].label }))}
          value={kind}
          onChange={(chosen) => {
            setKind(chosen)
            forget()
          }}
        />
        <TextInput
          label="Name"
          description="For this page, such as “Sourcing team”"
          required
          readOnly={isPending}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Address"
          description={`Kept encrypted. Enter that of ${channelKinds[kind].guide}`}
          required
          readOnly={isPending}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('address')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <SubmitButton busy={isPending} label="Add" busyLabel="Adding…" />
        </Group>
      </form>
    </Modal>
  )
}
