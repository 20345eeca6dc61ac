import './dialog-styles.ts'
import { Button, Group, Modal, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { PendingConfirmation } from './confirm.ts'

/** A question, above any other dialog. */
export const ConfirmDialog = ({ pending }: { pending: PendingConfirmation }) => {
  const { title, text, confirm, cancel } = pending.confirmation
  // Opened after mounting: the modal returns the focus to where it was before `opened` became true.
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(pending !== undefined), [pending])
  const answer = (isSure: boolean) => {
    setOpen(false)
    pending.answer(isSure)
  }
  return (
    <Modal
      opened={isOpen}
      onClose={() => answer(false)}
      withCloseButton={false}
      centered
      zIndex={300}
      transitionProps={{ duration: 150 }}
    >
      <Modal.Title fw={600} mb={4}>
        {title}
      </Modal.Title>
      <Text size="sm">{text}</Text>
      <Group mt="md" justify="flex-end">
        <Button variant="default" onClick={() => answer(false)}>
          {cancel}
        </Button>
        <Button color="red" onClick={() => answer(true)}>
          {confirm}
        </Button>
      </Group>
    </Modal>
  )
}
