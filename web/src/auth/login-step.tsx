import { PasswordInput } from '@mantine/core'
import { focusWhenShown } from '#web/ui/focus.ts'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { ChosenEmail } from './chosen-email.tsx'
import { ForgotPassword } from './forgot-password.tsx'
import { StartAgainLink } from './start-again-link.tsx'
import type { AuthSteps } from './use-auth-steps.ts'

export const LoginStep = (steps: AuthSteps) => (
  <>
    <ChosenEmail {...steps} />
    <PasswordInput
      ref={focusWhenShown}
      name="password"
      label="Password"
      required
      autoComplete="current-password"
      readOnly={steps.isBusy}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the typed text' }}
      {...steps.form.getInputProps('password')}
    />
    <ForgotPassword email={steps.form.values.email} />
    <SubmitButton busy={steps.isBusy} label="Access Platform" busyLabel="Signing in..." fullWidth size="md" />
    <StartAgainLink {...steps} />
  </>
)
