import { randomId } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconCheck, IconExclamationMark, IconInfoSmall } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ApiError, sentenceOf } from '#web/lib/http.ts'

/** How long a toast stays, in milliseconds. */
const SUCCESS_STAYS = 3000
export const OTHERS_STAY = 4000
export const TOASTS_AT_ONCE = 20

const closeButtonProps = { 'aria-label': 'Close' }

const show = (
  message: string,
  color: string,
  icon: ReactNode,
  autoClose: number,
  role: 'status' | 'alert',
  id = randomId(),
) => {
  notifications.show({ id, message, color, icon, autoClose, role, closeButtonProps })
}

export const toasts = {
  success: (message: string) => show(message, 'green', <IconCheck size={16} />, SUCCESS_STAYS, 'status'),

  info: (message: string) => show(message, 'blue', <IconInfoSmall size={28} />, OTHERS_STAY, 'status'),

  error: (message: string, id?: string) =>
    show(message, 'red', <IconExclamationMark size={16} />, OTHERS_STAY, 'alert', id),

  /**
   * Says why something failed, in the server's words or else ours. The end of a session is said once, elsewhere. With
   * `once` the same sentence is not said again while it stands there.
   */
  failure: (error: unknown, otherwise: string, { once = false } = {}) => {
    if (error instanceof ApiError && error.endsSession) return
    const sentence = sentenceOf(error, otherwise)
    toasts.error(sentence, once ? sentence : undefined)
  },

  /** Stays until the function that it returns is called. */
  loading: (message: string) => {
    const id = notifications.show({ message, loading: true, autoClose: false, role: 'status', closeButtonProps })
    return () => {
      notifications.hide(id)
    }
  },
}
