import { Anchor } from '@mantine/core'
import classes from './auth-card.module.css'
import type { AuthSteps } from './use-auth-steps.ts'

export const StartAgainLink = ({ isBusy, startAgain }: AuthSteps) => (
  <Anchor component="button" type="button" size="sm" className={classes.back} onClick={startAgain} disabled={isBusy}>
    ← Use different email address
  </Anchor>
)
