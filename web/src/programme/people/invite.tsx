import { Button, Paper, Textarea, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { InvitationOutcome } from '#contract/programme.ts'
import { settings } from '#web/lib/settings.ts'
import { useDraft } from '#web/session/use-draft.ts'
import { CopyButton } from '#web/ui/buttons/copy-button.tsx'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { addressesIn } from './addresses.ts'
import { invite } from './api.ts'
import classes from './people.module.css'

/** Invites up to 100 addresses, or makes one link for anyone who may join. */
export function Invite() {
  const { values: text, change: setText } = useDraft<string>('invite', '')
  const [outcomes, setOutcomes] = useState<InvitationOutcome[]>([])
  const { mutate, isPending } = useMutation(invite)
  const emails = addressesIn(text)
  const start = (addresses: string[]) =>
    mutate(addresses, {
      onSuccess: (made) => {
        setOutcomes(made)
        // What was refused stays, to be mended.
        if (addresses.length > 0) setText(made.flatMap(({ email, error }) => (error && email ? email : [])).join('\n'))
      },
      onError: (failure) => toasts.failure(failure, 'The invitations could not be made'),
    })
  return (
    <Paper component="section" withBorder className={classes.invite} aria-labelledby="invite">
      <Title order={2} size="h4" id="invite">
        Invite
      </Title>
      <form
        className={classes.form}
        aria-label="Invite"
        onSubmit={(event) => {
          event.preventDefault()
          if (emails.length > 0) start(emails)
        }}
      >
        <Textarea
          label="Email addresses"
          description={`Up to 100, one a line. ${settings.mail ? 'Each gets a link by mail.' : 'Each gets a link, which you pass on.'} A link is valid for 14 days.`}
          autosize
          minRows={2}
          maxRows={8}
          value={text}
          readOnly={isPending}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <div className={classes.buttons}>
          <SubmitButton busy={isPending} disabled={emails.length === 0} label={labelOf(emails)} busyLabel="Inviting…" />
          <Button variant="default" disabled={isPending} onClick={() => start([])}>
            Make a link for anyone
          </Button>
        </div>
      </form>
      {outcomes.length > 0 && (
        <ul className={classes.outcomes} aria-label="Invited">
          {outcomes.map((outcome, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
            <li key={at} className={classes.outcome}>
              <Outcome outcome={outcome} />
            </li>
          ))}
        </ul>
      )}
    </Paper>
  )
}

const labelOf = ({ length }: string[]) => (length > 1 ? `Invite ${length} people` : 'Invite')

const Outcome = ({
  outcome: { email = 'Anyone with an allowed address', link, error },
}: {
  outcome: InvitationOutcome
}) => (
  <>
    <span className={classes.text}>
      <bdi>{email}</bdi>
      <span className={classes.meta} data-refused={error !== undefined || undefined}>
        {error ?? (link ? 'Shown once. Pass this link on:' : 'Invited by mail')}
      </span>
      {link && <span className={classes.link}>{link}</span>}
    </span>
    {link && <CopyButton text={link} label="Copy" of={email} />}
  </>
)
