import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Radio.css'
import { Paper, Radio, Textarea, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type SignUpAnswer, signUpModes } from '#contract/programme.ts'
import { ApiError } from '#web/lib/http.ts'
import { settings } from '#web/lib/settings.ts'
import { useDraft } from '#web/session/use-draft.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { changeSignUp, getSignUp } from './api.ts'
import classes from './people.module.css'

/** Who may sign up. What the settings of the server determine is shown and cannot be changed. */
export function SignUp() {
  const { data } = useQuery(getSignUp)
  return (
    <Paper component="section" withBorder className={classes.invite} aria-labelledby="sign-up">
      <Title order={2} size="h4" id="sign-up">
        Who may sign up
      </Title>
      {data && <SignUpForm current={data} />}
    </Paper>
  )
}

const modeWords: Record<SignUpAnswer['mode'], string> = {
  open: 'Anyone with an allowed address',
  approval: 'Anyone with an allowed address, once a manager has approved them',
  invited: 'Invited people only',
}

const domainsIn = (text: string) => text.split(/[\s,;]+/).filter((word) => word !== '')

function SignUpForm({ current }: { current: SignUpAnswer }) {
  const draft = useDraft('sign-up', { mode: current.mode, text: current.domains.join('\n') })
  const { mode, text } = draft.values
  const { mutate, isPending, error } = useMutation(changeSignUp)
  const isFixed = (name: 'mode' | 'domains') => current.fixed.includes(name)
  const isAllFixed = isFixed('mode') && isFixed('domains')
  const fault = error instanceof ApiError ? Object.values(error.fields)[0] : undefined
  const save = () =>
    mutate(
      { mode, domains: domainsIn(text) },
      {
        onSuccess: () => {
          draft.discard()
          toasts.success('Saved. It holds from the next sign-up on.')
        },
        onError: (failure) => toasts.failure(failure, 'This could not be saved'),
      },
    )
  return (
    <form
      className={classes.form}
      aria-label="Who may sign up"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Radio.Group
        aria-label="Mode"
        value={mode}
        onChange={(value) => draft.change({ mode: signUpModes.find((one) => one === value) ?? mode, text })}
      >
        <div className="stack-12">
          {signUpModes.map((one) => (
            <Radio key={one} value={one} label={modeWords[one]} disabled={isFixed('mode')} />
          ))}
        </div>
      </Radio.Group>
      <Textarea
        label="Domains"
        description={`.edu domains that may join, with their subdomains, one a line. Empty: any. ${settings.teamDomain} may always join.`}
        autosize
        minRows={1}
        maxRows={8}
        value={text}
        error={fault}
        readOnly={isPending}
        disabled={isFixed('domains')}
        onChange={({ currentTarget }) => draft.change({ mode, text: currentTarget.value })}
      />
      {current.fixed.length > 0 && (
        <p className={classes.meta}>The settings of the server determine what cannot be changed here.</p>
      )}
      {!isAllFixed && (
        <div>
          <SubmitButton busy={isPending} label="Save" busyLabel="Saving…" />
        </div>
      )}
    </form>
  )
}
