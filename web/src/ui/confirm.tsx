import { Modal, Text } from '@mantine/core'
import { modals } from '@mantine/modals'

type Question = { title: string; text: string; confirm: string; cancel: string }

/** Asks before something is lost, inside of `Dialogs`. Resolves to true only when the person says so; Escape means no. */
export const confirm = ({ title, text, confirm, cancel }: Question) =>
  new Promise<boolean>((resolve) => {
    modals.openConfirmModal({
      withCloseButton: false,
      children: (
        <>
          <Modal.Title fw={600} mb={4}>
            {title}
          </Modal.Title>
          <Text size="sm">{text}</Text>
        </>
      ),
      labels: { confirm, cancel },
      confirmProps: { color: 'red' },
      onConfirm: () => resolve(true),
      onClose: () => resolve(false),
    })
  })
