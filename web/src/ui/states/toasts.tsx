import { Anchor } from '@mantine/core'
import { randomId } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconCheck, IconExclamationMark, IconInfoSmall } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ApiError, sentenceOf } from '#web/lib/http.ts'
import { offerCommand } from '#web/ui/keys/commands.ts'

/** The time that a toast stays, in milliseconds, also across screens. */
const SUCCESS_STAYS = 3000
export const OTHERS_STAY = 4000
const ACTIONS_STAY = 10_000
export const TOASTS_AT_ONCE = 20

const closeButtonProps = { 'aria-label': 'Close' }

/** `action` is next to the message, which is cut after three lines on phones. */
const textOf = (message: string, action?: ReactNode) => (
  <div className="toast">
    <span className="toast-message" dir="auto">
      {message}
    </span>
    {action}
  </div>
)

const show = (
  message: ReactNode,
  color: string,
  icon: ReactNode,
  autoClose: number,
  role: 'status' | 'alert',
  id = randomId(),
  onClose?: () => void,
) => {
  notifications.show({ id, message, color, icon, autoClose, role, closeButtonProps, ...(onClose && { onClose }) })
}

/** Toasts about a failure on the current screen. */
const failuresHere = new Set<string>()

export const toasts = {
  success: (message: string) => show(textOf(message), 'green', <IconCheck size={16} />, SUCCESS_STAYS, 'status'),

  info: (message: string) => show(textOf(message), 'blue', <IconInfoSmall size={28} />, OTHERS_STAY, 'status'),

  /**
   * A toast with buttons stays long enough to read and reach them. Meanwhile they are commands of the palette. What they
   * do can also be done elsewhere. Returns a function that hides it.
   */
  withActions: (message: string, ...actions: { label: string; onAct: () => void }[]) => {
    const id = randomId()
    const act = (onAct: () => void) => {
      // The button that has the focus goes.
      document.querySelector('main')?.focus({ preventScroll: true })
      notifications.hide(id)
      onAct()
    }
    const buttons = actions.map(({ label, onAct }) => (
      <Anchor
        key={label}
        component="button"
        type="button"
        size="sm"
        fw={600}
        className="toast-action"
        onClick={() => act(onAct)}
      >
        {label}
      </Anchor>
    ))
    const row = <span className="toast-actions">{buttons}</span>
    const offers = actions.map(({ label, onAct }) => offerCommand({ label, run: () => act(onAct) }))
    const withdraw = () => {
      for (const end of offers) end()
    }
    show(textOf(message, row), 'green', <IconCheck size={16} />, ACTIONS_STAY, 'status', id, withdraw)
    return () => notifications.hide(id)
  },

  error: (message: string, id?: string) =>
    show(textOf(message), 'red', <IconExclamationMark size={16} />, OTHERS_STAY, 'alert', id),

  /**
   * Shows why a call failed, by the server's sentence or else `otherwise`, until the screen is left at the latest. Not
   * for the end of a session, which has a toast of its own. With `once`, the same sentence is not shown twice at the
   * same time.
   */
  failure: (error: unknown, otherwise: string, { once = false } = {}) => {
    if (error instanceof ApiError && error.endsSession) return
    const sentence = sentenceOf(error, otherwise)
    const id = once ? sentence : randomId()
    failuresHere.add(id)
    toasts.error(sentence, id)
  },

  /** Hides what was said before a sign-in. */
  clear: () => notifications.clean(),

  /** Hides the failures of a screen that is being left; other toasts last their full time. */
  hideFailures: () => {
    for (const id of failuresHere) notifications.hide(id)
    failuresHere.clear()
  },

  /** Stays until the returned function is called. */
  loading: (message: string) => {
    const id = notifications.show({
      message: textOf(message),
      loading: true,
      autoClose: false,
      role: 'status',
      closeButtonProps,
    })
    return () => {
      notifications.hide(id)
    }
  },
}
