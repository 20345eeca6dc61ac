import { Button, Text, Title } from '@mantine/core'
import { focusWhenShown } from '#web/ui/focus.ts'
import { StartAgainLink } from './start-again-link.tsx'
import type { AuthSteps } from './use-auth-steps.ts'

/** The account exists, and cannot sign in before it is approved. */
export const ApprovalStep = (steps: AuthSteps) => (
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
