import { Button } from '@mantine/core'
import { Link } from 'react-router'
import classes from '#web/auth/auth-card.module.css'
import { AuthCard } from '#web/auth/auth-card.tsx'
import { LinkMessage } from '#web/auth/links/link-message.tsx'
import { settings } from '#web/lib/settings.ts'
import { paths } from '#web/paths.ts'

/** An invitation that was opened while someone is signed in. */
export const InvitedScreen = ({ current }: { current: string }) => (
  <AuthCard>
    <div className={classes.step}>
      <LinkMessage
        title={`An invitation to join ${settings.programmeName}`}
        text={
          <>
            It is for a person without an account. You are signed in as <bdi>{current}</bdi>. To use it, log out: it
            stays in this tab, and the sign-up begins.
          </>
        }
      />
      <Button component={Link} to={paths.dashboard} fullWidth size="md">
        Go to the dashboard
      </Button>
    </div>
  </AuthCard>
)
