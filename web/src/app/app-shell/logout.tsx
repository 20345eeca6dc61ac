import { UnstyledButton } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { logout } from '#web/auth/api.ts'
import { isOtherAccount } from '#web/lib/http.ts'
import { isTypedInAnyTab } from '#web/lib/typed-in-tabs.ts'
import { waitingForms } from '#web/outbox/waiting-forms.ts'
import { checkSession } from '#web/session/api.ts'
import { useCurrentUser, useOwner, useSignIn } from '#web/session/use-current-user.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { choose } from '#web/ui/dialogs/confirm.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import classes from './top-bar.module.css'

const UNREACHED = 'We couldn’t reach the server, so you are still signed in.'

const icon = <IconLogout size={20} stroke={1.5} />

export const useLogout = () => {
  const client = useQueryClient()
  const { email } = useCurrentUser()
  const owner = useOwner()
  const { account, signIn } = useSignIn()
  const { mutateAsync, isPending } = useMutation({
    ...logout,
    onSuccess: (...answer) => {
      toasts.success('Logged out successfully')
      return logout.onSuccess?.(...answer)
    },
  })

  /** What becomes of what was not sent; undefined to stay. */
  const ask = async () => {
    const kept = { account, signIn, email }
    const count = waitingForms.list(owner).length + waitingForms.listEarlier(kept).length
    const isTyped = await isTypedInAnyTab(account)
    if (count === 0 && !isTyped) return 'discard'
    const unsaved = await import('./send-unsaved.ts').catch(() => undefined)
    if (!unsaved) return void toasts.error(UNREACHED)
    const { questionAbout, sendUnsaved, DISCARD, KEEP } = unsaved
    const answer = await choose(questionAbout(count, isTyped))
    if (answer === KEEP) return 'keep'
    if (answer === DISCARD) return 'discard'
    if (answer === undefined) return undefined
    if ((await sendUnsaved(client, owner, kept)) && !(await isTypedInAnyTab(account))) return 'discard'
    toasts.error('Not everything could be sent, so you are still signed in.')
    return undefined
  }

  const logOut = async () => {
    // Another account may be signed in now, and is not to be signed out from here.
    if (await checkSession(client, { open: true }).then(() => false, isOtherAccount)) return
    const text = await ask()
    if (text === undefined) return
    await mutateAsync({ account, text }).then(
      () => text === 'discard' && waitingForms.deleteAll({ account, signIn, email }),
      // The failure has a toast.
      () => {},
    )
  }
  return { onClick: logOut, disabled: isPending }
}

export const LogoutButton = () => <IconButton label="Logout" icon={icon} {...useLogout()} />

export const LogoutItem = () => (
  <UnstyledButton className={classes.popoverItem} {...useLogout()}>
    {icon}
    Logout
  </UnstyledButton>
)
