import { Button, Text, UnstyledButton } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { AccountAnswer } from '#contract/account.ts'
import { resendVerification } from '#web/auth/api.ts'
import { MailAnswer, useMailRequest } from '#web/auth/links/mail-request.tsx'
import { settings } from '#web/lib/settings.ts'
import { focusAfterwards } from '#web/ui/focus.ts'
import classes from './account.module.css'
import { ChangeAddress } from './change-address.tsx'
import { NameForm } from './name-form.tsx'
import { Section } from './section.tsx'

export function ProfileSection({ user, emailVerified }: AccountAnswer) {
  // Without mail there is no way to confirm an address.
  const isToConfirm = !emailVerified && settings.mail
  const button = useRef<HTMLButtonElement>(null)
  const [isChanging, setChanging] = useState(false)
  const [sentTo, setSentTo] = useState<string>()
  const end = (email?: string) => {
    setChanging(false)
    focusAfterwards(() => button.current)
    if (email !== undefined) setSentTo(email)
  }
  return (
    <Section title="You">
      <dl className={classes.facts}>
        <div>
          <dt>Email</dt>
          <dd>
            <bdi>{user.email}</bdi>
            {emailVerified && (
              <span className={classes.confirmed}>
                <IconCircleCheck size={18} stroke={1.5} aria-hidden="true" />
                Confirmed
              </span>
            )}
            {isToConfirm && <span className={classes.meta}>Not confirmed</span>}
            {settings.mail ? (
              <UnstyledButton ref={button} className={classes.change ?? ''} onClick={() => setChanging(true)}>
                Change<span className="visually-hidden"> your address</span>
              </UnstyledButton>
            ) : (
              <span className={classes.meta}>To change it, ask {settings.contact}.</span>
            )}
          </dd>
          <dd>
            <div role="status">
              {sentTo !== undefined && (
                <Text size="sm" c="dimmed">
                  A link is on its way to <bdi>{sentTo}</bdi>. Open it in a browser in which you are signed in.
                </Text>
              )}
            </div>
          </dd>
        </div>
      </dl>
      {isChanging && <ChangeAddress current={user.email} onEnd={end} />}
      {isToConfirm && <NotConfirmed email={user.email} />}
      <NameForm {...user} />
    </Section>
  )
}

const NotConfirmed = ({ email }: { email: string }) => {
  const request = useMailRequest(resendVerification, `A link is on its way to ${email}.`)
  return (
    <>
      <Text size="sm" c="dimmed">
        Confirm this address before you next sign in.
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
