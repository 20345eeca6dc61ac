import { Button, Group, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type NewWebhook, WebhookInput } from '#contract/webhooks.ts'
import { idempotencyKeys } from '#web/lib/idempotency-keys.ts'
import { useOwner } from '#web/session/use-current-user.ts'
import { CopyButton } from '#web/ui/buttons/copy-button.tsx'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { Modal } from '#web/ui/dialogs/modal.tsx'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import { useCheckedForm } from '#web/ui/use-checked-form.ts'
import { createWebhook } from './api.ts'
import classes from './sending.module.css'

/** Adds a webhook, and then shows its secret, once. Its address may be a secret too, so the form is not kept. */
export function AddWebhook({ onEnd }: { onEnd: () => void }) {
  const place = { account: useOwner(), form: 'webhook' }
  // Another content is another request.
  const forget = () => idempotencyKeys.delete(place)
  const { form, focusFirst, showFailure } = useCheckedForm({
    ...{ schema: WebhookInput, start: { address: '' }, onValuesChange: forget },
  })
  const { mutate, isPending, data: added } = useMutation(createWebhook)
  const end = () => {
    forget()
    onEnd()
  }
  const submit = (typed: WebhookInput) =>
    mutate(
      { ...typed, key: idempotencyKeys.of(place) },
      { onError: (failure) => showFailure(failure, 'The webhook could not be added') },
    )
  const isTyped = () => added === undefined && form.isDirty()
  const { cancel } = createCancel({ isTyped, isBusy: isPending, onCancel: end })
  return (
    <Modal opened onClose={added ? end : cancel} withCloseButton={false} centered>
      <Modal.Title fw={600} mb={8}>
        {added ? 'The webhook has been added' : 'Add a webhook'}
      </Modal.Title>
      {added ? (
        <Secret of={added} onEnd={end} />
      ) : (
        <form noValidate aria-label="Add a webhook" className="stack-12" onSubmit={form.onSubmit(submit, focusFirst)}>
          <TextInput
            label="Address"
            description="Where your program listens, such as https://example.com/hooks/…. It is kept encrypted."
            required
            readOnly={isPending}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            {...form.getInputProps('address')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
            <SubmitButton busy={isPending} label="Add" busyLabel="Adding…" />
          </Group>
        </form>
      )}
    </Modal>
  )
}

const Secret = ({ of: { secret }, onEnd }: { of: NewWebhook; onEnd: () => void }) => (
  <div className="stack-12">
    <Text size="sm">
      Your program checks each ring with this secret, as Standard Webhooks says. It is shown only now, so copy it first.
    </Text>
    <span className={classes.secret}>{secret}</span>
    <Group justify="flex-end">
      <CopyButton text={secret} label="Copy" of="the secret" />
      <Button data-autofocus onClick={onEnd}>
        Done
      </Button>
    </Group>
  </div>
)
