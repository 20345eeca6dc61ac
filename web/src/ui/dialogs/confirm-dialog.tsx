import { Button, Group, Text } from '@mantine/core'
import type { PendingQuestion } from './confirm.ts'
import { Modal } from './modal.tsx'
import { useAfterMount } from './use-after-mount.ts'

/** A question, above any other dialog. */
export const ConfirmDialog = ({ pending }: { pending: PendingQuestion }) => {
  const { title, text, answers } = pending.question
  const [open, setOpen] = useAfterMount(pending)
  const answer = (label?: string) => {
    setOpen(undefined)
    pending.answer(label)
  }
  return (
    <Modal
      opened={open !== undefined}
      onClose={() => answer()}
      withCloseButton={false}
      centered
      // Of two dialogs with one index the later one is in front, whichever was opened last.
      zIndex={301}
      transitionProps={{ duration: 150 }}
    >
      <Modal.Title fw={600} mb={4}>
        {title}
      </Modal.Title>
      <Text size="sm">{text}</Text>
      <Group mt="md" justify="flex-end">
        {answers.map(({ label, isDanger }, place) => (
          <Button
            key={label}
            variant={place === answers.length - 1 ? 'filled' : 'default'}
            {...(isDanger && { color: 'red' })}
            onClick={() => answer(label)}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Modal>
  )
}
