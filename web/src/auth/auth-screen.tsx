import { Paper, Text, Title } from '@mantine/core'
import { Mark } from '#web/ui/mark.tsx'
import classes from './auth-screen.module.css'
import { EmailStep } from './email-step.tsx'
import { LoginStep } from './login-step.tsx'
import { SignupStep } from './signup-step.tsx'
import { useAuthSteps } from './use-auth-steps.ts'

export const AuthScreen = () => {
  const steps = useAuthSteps()
  const { step, submit, isBusy } = steps
  return (
    <main className={classes.screen}>
      <Paper withBorder className={classes.card}>
        <header className={classes.head}>
          <Mark size={48} />
          <Title order={1} size="h2">
            Sourcebook
          </Title>
          <Text c="dimmed">Where venture fellows source founders and companies together.</Text>
        </header>
        <form
          noValidate
          aria-label="Sign in"
          aria-busy={isBusy}
          onSubmit={(event) => {
            event.preventDefault()
            if (!isBusy) submit()
          }}
        >
          <div key={step} className={classes.step} data-step={step}>
            {step === 'email' && <EmailStep {...steps} />}
            {step === 'login' && <LoginStep {...steps} />}
            {step === 'signup' && <SignupStep {...steps} />}
          </div>
        </form>
      </Paper>
    </main>
  )
}
