import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Checkbox.css'
import { Button, Checkbox, Group, NativeSelect, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isTokenAllowed, TOKEN_DAYS, type TokensAllowed, tokenScopes } from '#contract/token-scopes.ts'
import { type NewAccessToken, TokenInput } from '#contract/tokens.ts'
import classes from '#web/account/account.module.css'
import { createToken } from '#web/account/api.ts'
import { useDraft } from '#web/session/use-draft.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import { useCheckedForm } from '#web/ui/use-checked-form.ts'
import { scopeWords } from './scope-words.ts'

type MakeTokenProps = { allowed: TokensAllowed; onMade: (token: NewAccessToken) => void; onCancel: () => void }

const schema = TokenInput.pick({ name: true })
const choices = TOKEN_DAYS.map((days) => ({ value: String(days), label: days === 365 ? 'a year' : `${days} days` }))

/** A new token. Which boxes are ticked is decided again each time. */
export function MakeToken({ allowed, onMade, onCancel }: MakeTokenProps) {
  const draft = useDraft('access-token', { name: '' })
  const [chosen, setChosen] = useState<Pick<TokenInput, 'scopes' | 'days'>>({ scopes: ['read'], days: 90 })
  const field = useRef<HTMLInputElement>(null)
  // Not by its name, which the form of the profile has too.
  const focusName = () => field.current?.focus()
  useEffect(focusName, [])
  const { form, showFailure } = useCheckedForm({ schema, start: { name: '' }, draft })
  const { mutate, isPending } = useMutation(createToken)
  const submit = ({ name }: { name: string }) =>
    mutate(
      { name, ...chosen },
      {
        onSuccess: (token) => {
          draft.discard()
          onMade(token)
        },
        onError: (failure) => {
          showFailure(failure, 'The token could not be made')
          focusName()
        },
      },
    )
  const discard = () => {
    draft.discard()
    onCancel()
  }
  const { cancel, cancelOnEscape } = createCancel({
    ...{ isTyped: () => form.values.name !== '', isBusy: isPending, onCancel: discard },
  })
  const tick = (scope: (typeof tokenScopes)[number], isTicked: boolean) =>
    setChosen((before) => ({
      ...before,
      scopes: tokenScopes.filter((one) => (one === scope ? isTicked : before.scopes.includes(one))),
    }))
  return (
    <form
      noValidate
      className={classes.form}
      aria-label="Make an access token"
      onKeyDown={cancelOnEscape}
      onSubmit={form.onSubmit(submit, focusName)}
    >
      <TextInput
        ref={field}
        label="Name"
        description="What uses it, such as “Airtable sync”. The history shows it beside your name."
        required
        readOnly={isPending}
        {...form.getInputProps('name')}
      />
      <Checkbox.Group label="What it may do" value={chosen.scopes}>
        <div className="stack-12">
          {tokenScopes.map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              label={scopeWords[scope].label}
              description={
                isTokenAllowed(allowed, [scope])
                  ? scopeWords[scope].text
                  : `${scopeWords[scope].text}. Managers do not allow this.`
              }
              disabled={isPending || scope === 'read' || !isTokenAllowed(allowed, [scope])}
              onChange={({ currentTarget: { checked } }) => tick(scope, checked)}
            />
          ))}
        </div>
      </Checkbox.Group>
      <NativeSelect
        label="Ends after"
        data={choices}
        maw={200}
        disabled={isPending}
        value={String(chosen.days)}
        onChange={({ currentTarget: { value } }) => {
          const days = TOKEN_DAYS.find((one) => String(one) === value)
          if (days !== undefined) setChosen((before) => ({ ...before, days }))
        }}
      />
      <Group gap="xs">
        <SubmitButton busy={isPending} label="Make token" busyLabel="Making…" />
        <Button variant="default" disabled={isPending} onClick={cancel}>
          Cancel
        </Button>
      </Group>
    </form>
  )
}
