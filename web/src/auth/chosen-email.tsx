import { Anchor, TextInput } from '@mantine/core'
import type { AuthSteps } from './use-auth-steps.ts'

/** The chosen email, read-only. A real field, so that password managers know the account of the password. */
export const ChosenEmail = ({ form, isBusy, startAgain }: AuthSteps) => (
  <TextInput
    type="email"
    name="email"
    label="Email"
    readOnly
    autoComplete="username"
    {...form.getInputProps('email')}
    rightSectionWidth={76}
    rightSection={
      <Anchor component="button" type="button" size="sm" fw={600} h={40} px={8} onClick={startAgain} disabled={isBusy}>
        Change
      </Anchor>
    }
  />
)
