import { Anchor, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ChosenEmail } from '#web/auth/chosen-email.tsx'
import { StartAgainLink } from '#web/auth/start-again-link.tsx'
import type { AuthSteps } from '#web/auth/use-auth-steps.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'

/** The second factor. The field always takes both kinds of code; the link only brings up a keyboard with letters. */
export const CodeStep = (steps: AuthSteps) => {
  const [hasLetters, setHasLetters] = useState(false)
  return (
    <>
      <ChosenEmail {...steps} />
      <div>
        <TextInput
          key={String(hasLetters)}
          ref={focusWhenShown}
          name="code"
          label="Enter the code"
          description={
            hasLetters
              ? 'One of your saved recovery codes. Each code works once.'
              : 'The six digits that your authenticator app shows, or a recovery code.'
          }
          required
          inputMode={hasLetters ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          readOnly={steps.isBusy}
          {...steps.form.getInputProps('code')}
        />
        {!hasLetters && (
          <Anchor component="button" type="button" size="sm" mih={40} onClick={() => setHasLetters(true)}>
            Enter a recovery code
          </Anchor>
        )}
      </div>
      <SubmitButton busy={steps.isBusy} label="Sign in" busyLabel="Checking..." fullWidth size="md" />
      <StartAgainLink {...steps} />
    </>
  )
}
