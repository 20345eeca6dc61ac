import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Radio.css'
import '@mantine/core/styles/Switch.css'
import { Paper, Radio, Skeleton, Switch, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type TokensAllowed, tokensAllowed } from '#contract/token-scopes.ts'
import type { TokenSettings as Settings } from '#contract/tokens.ts'
import classes from '#web/programme/people/people.module.css'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { changeTokenSettings, getTokenSettings } from './api.ts'

/** Who may have access tokens, and whether assistants may come in. */
export function TokenSettings() {
  const { data, error, isPending, refetch } = useQuery(getTokenSettings)
  return (
    <Paper component="section" withBorder className={classes.invite} aria-labelledby="token-settings">
      <Title order={2} size="h4" id="token-settings">
        Access tokens
      </Title>
      {isPending && <Skeleton height={180} />}
      {error && !data && <ErrorState title="This could not be loaded" error={error} retry={refetch} />}
      {data && <Choice current={data} />}
    </Paper>
  )
}

const words: Record<TokensAllowed, string> = { none: 'No one', read: 'Reading', all: 'All' }
const about: Record<TokensAllowed, string> = {
  none: 'No fellow has one',
  read: 'Tokens that read, and neither export nor change anything',
  all: 'Tokens that also export and change, each with the rights of a fellow',
}

const sure = {
  title: 'End access tokens?',
  text: 'Tokens that are allowed no more end immediately, and cannot be brought back.',
  ...{ confirm: 'End them', cancel: 'Cancel' },
}

/** Each choice is saved at once. */
function Choice({ current }: { current: Settings }) {
  const { mutate, isPending, variables } = useMutation(changeTokenSettings)
  const { allowed, assistant } = isPending ? variables : current
  const save = (change: Partial<Settings>) =>
    mutate({ allowed, assistant, ...change }, { onSuccess: () => toasts.success('Saved') })
  const choose = async (value: string) => {
    const chosen = tokensAllowed.find((one) => one === value)
    if (chosen === undefined || chosen === allowed) return
    const endsSome = tokensAllowed.indexOf(chosen) < tokensAllowed.indexOf(allowed)
    if (!endsSome || (await confirm(sure))) save({ allowed: chosen })
  }
  return (
    <div className={classes.form}>
      <Radio.Group label="Which tokens fellows may make for programs" value={allowed} onChange={choose}>
        <div className="stack-12">
          {tokensAllowed.map((one) => (
            <Radio key={one} value={one} label={words[one]} description={about[one]} />
          ))}
        </div>
      </Radio.Group>
      <Switch
        label="Assistants"
        description="They come in by a token that only reads."
        checked={assistant}
        onChange={({ currentTarget: { checked } }) => save({ assistant: checked })}
      />
    </div>
  )
}
