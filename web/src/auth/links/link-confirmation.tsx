import type { ReactNode } from 'react'
import classes from '#web/auth/auth-card.module.css'
import { sentenceOf } from '#web/lib/http.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { LinkMessage } from './link-message.tsx'

type LinkConfirmationProps = {
  title: string
  text: ReactNode
  /** The title after a failure. */
  failed: string
  label: string
  busyLabel: string
  act: { isPending: boolean; isError: boolean; error: unknown }
  onConfirm: () => void
}

/** Mail programs open links by themselves, so opening a link does nothing: a person presses the button. */
export const LinkConfirmation = ({ title, text, failed, label, busyLabel, act, onConfirm }: LinkConfirmationProps) => (
  <form
    className={classes.step}
    aria-label={title}
    aria-busy={act.isPending}
    onSubmit={(event) => {
      event.preventDefault()
      if (!act.isPending) onConfirm()
    }}
  >
    {act.isError ? (
      <LinkMessage
        key="failed"
        title={failed}
        text={sentenceOf(act.error, "We couldn't reach the server. Try again in a moment.")}
      />
    ) : (
      <LinkMessage title={title} text={text} />
    )}
    <SubmitButton
      busy={act.isPending}
      label={act.isError ? 'Try again' : label}
      busyLabel={busyLabel}
      fullWidth
      size="md"
    />
  </form>
)
