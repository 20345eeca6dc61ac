import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { AccountAnswer, TwoFactorSetup } from '#contract/account.ts'
import { beginTwoFactor, renewRecoveryCodes, switchTwoFactorOff } from '#web/account/api.ts'
import { Section } from '#web/account/section.tsx'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { FactorsForm } from './factors-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { ScanCode } from './scan-code.tsx'

/** The step of switching it on or off. The server returns setup and codes only once, so they are kept here. */
type Stage =
  | { at: 'start' | 'back' | 'set-up' | 'new-codes' | 'switch-off' }
  | { at: 'scan'; setup: TwoFactorSetup }
  | { at: 'codes'; codes: string[] }

export const TwoFactor = ({ hasPassword, twoFactor }: AccountAnswer) => {
  const [stage, setStage] = useState<Stage>({ at: 'start' })
  const goBack = () => setStage({ at: 'back' })
  const showCodes = ({ recoveryCodes }: { recoveryCodes: string[] }) => setStage({ at: 'codes', codes: recoveryCodes })
  const focus = stage.at === 'back' ? focusWhenShown : null

  const switchOff = async () => {
    if (await confirm(sure)) setStage({ at: 'switch-off' })
  }
  const isOff = () => {
    toasts.success('Two-factor sign-in is off')
    goBack()
  }

  return (
    <Section title="Two-factor sign-in">
      {stage.at === 'scan' && <ScanCode setup={stage.setup} onDone={showCodes} onCancel={goBack} />}
      {stage.at === 'codes' && <RecoveryCodes codes={stage.codes} onDone={goBack} />}
      {stage.at === 'set-up' && (
        <FactorsForm
          name="Continue"
          label="Continue"
          busyLabel="Checking…"
          needs="password"
          asks={beginTwoFactor}
          onDone={(setup) => setStage({ at: 'scan', setup })}
          onCancel={goBack}
        />
      )}
      {stage.at === 'new-codes' && (
        <>
          <Text size="sm">Your current codes will stop working.</Text>
          <FactorsForm
            name="New recovery codes"
            label="Create new codes"
            busyLabel="Creating…"
            needs={hasPassword ? 'both' : 'code'}
            acceptsRecoveryCode
            asks={renewRecoveryCodes}
            onDone={showCodes}
            onCancel={goBack}
          />
        </>
      )}
      {stage.at === 'switch-off' && (
        <FactorsForm
          name="Switch off two-factor sign-in"
          label="Switch off"
          busyLabel="Switching off…"
          color="red"
          needs={hasPassword ? 'both' : 'code'}
          acceptsRecoveryCode
          asks={switchTwoFactorOff}
          onDone={isOff}
          onCancel={goBack}
        />
      )}
      {(stage.at === 'start' || stage.at === 'back') &&
        (twoFactor.enabled ? (
          <>
            <Text size="sm">
              On. Signing in with your password asks for a code of your authenticator app as well.{' '}
              {left(twoFactor.recoveryCodesLeft)}
            </Text>
            <Group gap="xs">
              <Button ref={focus} variant="default" onClick={() => setStage({ at: 'new-codes' })}>
                New recovery codes
              </Button>
              <Button variant="default" onClick={switchOff}>
                Switch off
              </Button>
            </Group>
          </>
        ) : hasPassword ? (
          <>
            <Text size="sm">
              Off. With an authenticator app on your phone, your password alone is not enough to sign in as you.
            </Text>
            <div>
              <Button ref={focus} onClick={() => setStage({ at: 'set-up' })}>
                Set up
              </Button>
            </div>
          </>
        ) : (
          <Text size="sm">Your sign-in provider asks for a second factor, if you have set one up there.</Text>
        ))}
    </Section>
  )
}

const left = (count: number) => {
  if (count === 0) return 'You have no recovery codes left. Create new ones.'
  return count === 1 ? 'You have 1 recovery code left.' : `You have ${count} recovery codes left.`
}

const sure = {
  title: 'Switch off two-factor sign-in?',
  text: 'Your password alone will open your account again, and your recovery codes will stop working.',
  confirm: 'Switch off',
  cancel: 'Cancel',
}
