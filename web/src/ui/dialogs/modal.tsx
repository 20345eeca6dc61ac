import './dialog-styles.ts'
import { Modal as MantineModal, type ModalProps } from '@mantine/core'
import { useCloseOnBack } from './close-on-back.ts'

/** A dialog that Escape and Back close. */
export function Modal(props: ModalProps) {
  useCloseOnBack(props.opened, props.onClose)
  return <MantineModal {...props} />
}

Modal.Title = MantineModal.Title
