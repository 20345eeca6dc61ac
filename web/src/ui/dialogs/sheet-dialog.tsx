import './dialog-styles.ts'
import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './sheet-dialog.module.css'

type SheetDialogProps = {
  title: string
  /** A line under the title; screen readers announce its changes. */
  status: string
  closeLabel: string
  isOpen: boolean
  closeOnEscape?: boolean
  onClose: () => void
  onClosed: () => void
  children: ReactNode
}

/** A dialog on wide screens, a sheet from below on phones, as tall as its content. `onClosed` returns the focus. */
export const SheetDialog = ({
  title,
  status,
  closeLabel,
  isOpen,
  closeOnEscape = true,
  onClose,
  onClosed,
  children,
}: SheetDialogProps) => (
  <Modal.Root
    opened={isOpen}
    onClose={onClose}
    onExitTransitionEnd={onClosed}
    returnFocus={false}
    closeOnEscape={closeOnEscape}
    yOffset="10dvh"
    size={560}
    transitionProps={{ duration: 150 }}
    classNames={{ inner: classes.inner, content: classes.content }}
  >
    <Modal.Overlay />
    <Modal.Content>
      <div className={classes.head}>
        <Modal.Title className={classes.title} component="h2">
          <bdi>{title}</bdi>
        </Modal.Title>
        <p className={classes.status} role="status">
          {status || '\u00a0'}
        </p>
        <Modal.CloseButton size={40} iconSize={20} aria-label={closeLabel} className={classes.close} />
      </div>
      {children}
    </Modal.Content>
  </Modal.Root>
)
