import { TextInput } from '@mantine/core'
import { settings } from '#web/lib/settings.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import classes from './auth-card.module.css'
import type { AuthSteps } from './use-auth-steps.ts'

export const EmailStep = ({ form, isBusy, isInvited, refusal }: AuthSteps) => (
  <>
    {refusal && (
      <p role="alert" className={classes.refusal}>
        {refusal}
      </p>
    )}
    {isInvited && (
      <p className={`${classes.panel} ${classes.notice}`}>
        You are invited to join {settings.programmeName}. Enter your email address to sign up.
      </p>
    )}
    <TextInput
      ref={focusWhenShown}
      type="email"
      name="email"
      label="Email"
      description={`Use your .edu or ${settings.teamDomain} email address`}
      required
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      readOnly={isBusy}
      {...form.getInputProps('email')}
    />
    <SubmitButton busy={isBusy} label="Continue to Platform" busyLabel="Verifying..." fullWidth size="md" />
  </>
)
