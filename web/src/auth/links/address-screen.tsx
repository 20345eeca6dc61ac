import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { confirmAddress } from '#web/auth/api.ts'
import classes from '#web/auth/auth-card.module.css'
import { AuthCard } from '#web/auth/auth-card.tsx'
import { ApiError } from '#web/lib/http.ts'
import { deleteLinkToken, linkTokenAt } from '#web/lib/link-token.ts'
import { paths } from '#web/paths.ts'
import { changeUser } from '#web/session/api.ts'
import { LinkConfirmation } from './link-confirmation.tsx'
import { LinkMessage } from './link-message.tsx'

/** `current` is the address of the signed-in account; empty without one. */
type AddressScreenProps = { current: string }

/** Opened by the link in the mail to the new address of an account. */
export const AddressScreen = (props: AddressScreenProps) => {
  const [token] = useState(() => linkTokenAt(paths.address))
  return (
    <AuthCard>
      <div className={classes.step}>
        {token === undefined ? (
          <LinkMessage title="This link does not work" text="It is incomplete. Open it from the mail." />
        ) : (
          <Confirmation token={token} {...props} />
        )}
      </div>
    </AuthCard>
  )
}

const Confirmation = ({ token, current }: AddressScreenProps & { token: string }) => {
  const move = useMutation({
    ...confirmAddress,
    onSuccess: ({ user }, _token, _result, { client }) => {
      deleteLinkToken()
      changeUser(client, user)
      return client.invalidateQueries({ queryKey: ['account'] })
    },
  })
  if (move.isSuccess) {
    return (
      <>
        <LinkMessage
          title="Your account has a new address"
          text={`Sign in with ${move.data.user.email} from now on. You are signed out everywhere else.`}
        />
        <Button component={Link} to={paths.dashboard} fullWidth size="md">
          Go to the dashboard
        </Button>
      </>
    )
  }
  if (current === '' || (move.error instanceof ApiError && move.error.status === 401)) {
    return (
      <>
        <LinkMessage
          title="Sign in first"
          text="This link moves your account to a new address. Sign in with the one that it still has; you return here afterwards."
        />
        <Button component={Link} to={paths.auth} state={{ from: paths.address }} fullWidth size="md">
          Sign in
        </Button>
      </>
    )
  }
  return (
    <LinkConfirmation
      title="Confirm your new address"
      text={
        <>
          We sent this link to your new address. Your account moves there from <bdi>{current}</bdi>.
        </>
      }
      failed="Your address has not changed"
      label="Move my account"
      busyLabel="Moving…"
      act={move}
      onConfirm={() => move.mutate(token)}
    />
  )
}
