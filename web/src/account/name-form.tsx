import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ChangeNameInput } from '#contract/account.ts'
import type { User } from '#contract/auth.ts'
import { useDraft } from '#web/session/use-draft.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { useCheckedForm } from '#web/ui/use-checked-form.ts'
import classes from './account.module.css'
import { changeName } from './api.ts'

/** The name of an account whose owner took it over from a stranger, or whose sign-in provider gave no name. */
const FROM_ADDRESS = 'This name comes from your address. Enter your full name: it is shown on your records and notes.'

export const NameForm = ({ name, email }: User) => {
  const draft = useDraft('own name', { name })
  const { form, focusFirst, showFailure } = useCheckedForm({ schema: ChangeNameInput, start: { name }, draft })
  const { mutate, isPending } = useMutation(changeName)
  const isFromAddress = name === email.slice(0, email.indexOf('@'))

  const submit = (input: ChangeNameInput) =>
    mutate(input, {
      onSuccess: ({ user }) => {
        form.setValues({ name: user.name })
        draft.discard()
        toasts.success('Name changed')
      },
      onError: (failure) => showFailure(failure, 'Failed to change your name'),
    })

  return (
    <form className={classes.form} noValidate aria-label="Change name" onSubmit={form.onSubmit(submit, focusFirst)}>
      <TextInput
        name="name"
        label="Full name"
        description={isFromAddress ? FROM_ADDRESS : 'Shown to every fellow on your records and notes.'}
        required
        autoComplete="name"
        readOnly={isPending}
        {...form.getInputProps('name')}
      />
      <div>
        <SubmitButton busy={isPending} label="Save name" busyLabel="Saving…" variant="default" />
      </div>
    </form>
  )
}
