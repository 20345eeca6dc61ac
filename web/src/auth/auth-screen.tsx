import { Button, PasswordInput, Text, Title } from '@mantine/core'
import { BASE } from '#web/lib/http.ts'
import { settings } from '#web/lib/settings.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import classes from './auth-card.module.css'
import { AuthCard } from './auth-card.tsx'
import { ChosenEmail } from './chosen-email.tsx'
import { EmailStep } from './email-step.tsx'
import { ForgotPassword } from './links/forgot-password.tsx'
import { CheckMailStep } from './sign-up/check-mail-step.tsx'
import { CodeStep } from './sign-up/code-step.tsx'
import { SignupStep } from './sign-up/signup-step.tsx'
import { StartAgainLink } from './start-again-link.tsx'
import { type AuthSteps, useAuthSteps } from './use-auth-steps.ts'

export const AuthScreen = () => {
  const steps = useAuthSteps()
  const { step, slides, submit, isBusy } = steps
  return (
    <AuthCard>
      <form
        noValidate
        aria-label="Sign in"
        aria-busy={isBusy}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) submit()
        }}
      >
        <div key={step} className={classes.step} data-slides={slides}>
          {step === 'email' && <EmailStep {...steps} />}
          {step === 'login' && <LoginStep {...steps} />}
          {step === 'signup' && <SignupStep {...steps} />}
          {step === 'check-mail' && <CheckMailStep {...steps} />}
          {step === 'approval' && <ApprovalStep {...steps} />}
          {step === 'code' && <CodeStep {...steps} />}
        </div>
      </form>
      {step === 'email' && <SsoChoices />}
    </AuthCard>
  )
}

/** The account exists, and cannot sign in before it is approved. */
const ApprovalStep = (steps: AuthSteps) => (
  <>
    <div>
      <Title order={2} size="h3" mb={4} ref={focusWhenShown} tabIndex={-1}>
        Waiting for approval
      </Title>
      <Text fw={600}>
        <bdi>{steps.form.values.email}</bdi>
      </Text>
      <Text size="sm" mt={4}>
        Your account has been created. Your programme has to approve it before you can sign in.
      </Text>
    </div>
    <Button fullWidth size="md" onClick={steps.signInAgain}>
      Sign in
    </Button>
    <StartAgainLink {...steps} />
  </>
)

const LoginStep = (steps: AuthSteps) => (
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

/** The providers of single sign-on that the operator has set up. */
const SsoChoices = () =>
  settings.sso.length > 0 && (
    <>
      <p className={classes.or}>or</p>
      <div className={classes.choices}>
        {settings.sso.map(({ id, name }) => (
          <Button key={id} component="a" href={`${BASE}/auth/sso/${id}`} variant="default" size="md" fullWidth>
            Continue with {name}
          </Button>
        ))}
      </div>
    </>
  )
