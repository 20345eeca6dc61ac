import { ApprovalStep } from './approval-step.tsx'
import classes from './auth-card.module.css'
import { AuthCard } from './auth-card.tsx'
import { CheckMailStep } from './check-mail-step.tsx'
import { CodeStep } from './code-step.tsx'
import { EmailStep } from './email-step.tsx'
import { LoginStep } from './login-step.tsx'
import { SignupStep } from './signup-step.tsx'
import { SsoChoices } from './sso-choices.tsx'
import { useAuthSteps } from './use-auth-steps.ts'

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
