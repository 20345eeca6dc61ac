import { Anchor, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { RecoveryCodes, TwoFactorSetup } from '#contract/account.ts'
import classes from '#web/account/account.module.css'
import { confirmTwoFactor } from '#web/account/api.ts'
import { CopyButton } from '#web/ui/buttons/copy-button.tsx'
import { FactorsForm } from './factors-form.tsx'

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }))

type ScanCodeProps = { setup: TwoFactorSetup; onDone: (codes: RecoveryCodes) => void; onCancel: () => void }

/** Shows the secret for the authenticator app, and asks for a code to confirm it. */
export const ScanCode = ({ setup, onDone, onCancel }: ScanCodeProps) => (
  <FactorsForm
    name="Set up two-factor sign-in"
    label="Switch on"
    busyLabel="Checking…"
    needs="code"
    asks={confirmTwoFactor}
    onDone={onDone}
    onCancel={onCancel}
  >
    <Text size="sm">
      Scan this with an authenticator app, then enter the six digits that it shows. On this device,{' '}
      <Anchor href={setup.uri} size="sm" underline="always">
        open the app
      </Anchor>{' '}
      instead.
    </Text>
    <div className={classes.qr}>
      <Suspense>
        <QrCode text={setup.uri} />
      </Suspense>
    </div>
    <div>
      <Text size="sm" c="dimmed">
        Or type this key into the app:
      </Text>
      <div className={classes.secret}>
        <code>{setup.secret.match(/.{1,4}/g)?.join(' ')}</code>
        <CopyButton text={setup.secret} label="Copy key" />
      </div>
    </div>
  </FactorsForm>
)
