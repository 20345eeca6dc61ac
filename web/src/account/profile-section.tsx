import { Button, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import type { AccountAnswer } from '#contract/account.ts'
import { resendVerification } from '#web/auth/api.ts'
import { MailAnswer, useMailRequest } from '#web/auth/mail-request.tsx'
import { settings } from '#web/lib/settings.ts'
import classes from './account.module.css'
import { Section } from './section.tsx'

export const ProfileSection = ({ user, emailVerified }: AccountAnswer) => (
  <Section title="You">
    <dl className={classes.facts}>
      <div>
        <dt>Name</dt>
        <dd>
          <bdi>{user.name || 'User'}</bdi>
        </dd>
      </div>
      <div>
        <dt>Email</dt>
        <dd>
          <bdi>{user.email}</bdi>
          {emailVerified ? (
            <span className={classes.confirmed}>
              <IconCircleCheck size={18} stroke={1.5} aria-hidden="true" />
              Confirmed
            </span>
          ) : (
            <span className={classes.meta}>Not confirmed</span>
          )}
        </dd>
      </div>
    </dl>
    {!emailVerified && settings.mail && <NotConfirmed email={user.email} />}
  </Section>
)

const NotConfirmed = ({ email }: { email: string }) => {
  const request = useMailRequest(resendVerification, `A link is on its way to ${email}.`)
  return (
    <>
      <Text size="sm" c="dimmed">
        The next time that you sign in, this address has to be confirmed.
      </Text>
      <div>
        <Button variant="default" disabled={!request.mayAsk} onClick={() => request.ask(email)}>
          Send me a link
        </Button>
      </div>
      <MailAnswer {...request} />
    </>
  )
}
