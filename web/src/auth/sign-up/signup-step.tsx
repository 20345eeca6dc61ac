import { PasswordInput, TextInput } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import classes from '#web/auth/auth-card.module.css'
import { ChosenEmail } from '#web/auth/chosen-email.tsx'
import { StartAgainLink } from '#web/auth/start-again-link.tsx'
import type { AuthSteps } from '#web/auth/use-auth-steps.ts'
import { settings } from '#web/lib/settings.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'

export const SignupStep = (steps: AuthSteps) => (
  <>
    <ChosenEmail {...steps} />
    <TextInput
      ref={focusWhenShown}
      name="name"
      label="Full Name"
      required
      autoComplete="name"
      readOnly={steps.isBusy}
      {...steps.form.getInputProps('name')}
    />
    <PasswordInput
      name="password"
      label="Password"
      placeholder={`Create secure password (${settings.passwordMin}+ characters)`}
      required
      autoComplete="new-password"
      readOnly={steps.isBusy}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the typed text' }}
      {...steps.form.getInputProps('password')}
    />
    <SubmitButton
      busy={steps.isBusy}
      label={`Join ${settings.programmeName}`}
      busyLabel="Creating Account..."
      fullWidth
      size="md"
    />
    <section className={classes.panel} aria-labelledby="who-may-join">
      <h2 id="who-may-join" className={classes.panelTitle}>
        <IconShieldCheck size={18} stroke={1.5} aria-hidden="true" />
        Verified Access Required
      </h2>
      <ul>
        <li>Educational institutions (.edu)</li>
        <li>Team members ({settings.teamDomain})</li>
      </ul>
    </section>
    <StartAgainLink {...steps} />
  </>
)
