import { Button, Text, Title } from '@mantine/core'
import type { NewAccessToken } from '#contract/tokens.ts'
import classes from '#web/account/account.module.css'
import { CopyButton } from '#web/ui/buttons/copy-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'

/** Shown only once: the server keeps only a hash. */
export const NewToken = ({ token: { name, token }, onDone }: { token: NewAccessToken; onDone: () => void }) => (
  <div className={classes.form}>
    <div>
      <Title order={3} size="h4" ref={focusWhenShown} tabIndex={-1}>
        Your token <bdi>{name}</bdi>
      </Title>
      <Text size="sm" maw="70ch">
        Copy it now, because it is not shown again. It works for anyone who has it, so keep it like a password.
      </Text>
    </div>
    <div className={classes.secret}>
      <code>{token}</code>
      <CopyButton text={token} label="Copy" of={name} />
    </div>
    <div>
      <Button onClick={onDone}>I have copied it</Button>
    </div>
  </div>
)
