import { UnstyledButton } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { logout } from '#web/auth/api.ts'
import { countForms, waitingForms } from '#web/outbox/waiting-forms.ts'
import { useCurrentUser } from '#web/session/use-current-user.ts'
import { confirm } from '#web/ui/confirm.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { toasts } from '#web/ui/toasts.tsx'
import classes from './top-bar.module.css'

const icon = <IconLogout size={20} stroke={1.5} />

export const useLogout = () => {
  const { email } = useCurrentUser()
  const { mutateAsync, isPending } = useMutation({
    ...logout,
    onSuccess: (...answer) => {
      toasts.success('Logged out successfully')
      return logout.onSuccess?.(...answer)
    },
  })
  const logOut = async () => {
    const count = waitingForms.list(email).length
    const isDiscarding = count > 0 && (await confirm(keepOrDiscard(count)))
    await mutateAsync().then(
      () => isDiscarding && waitingForms.deleteAll(email),
      // The failure has a toast.
      () => {},
    )
  }
  return { onClick: logOut, disabled: isPending }
}

const keepOrDiscard = (count: number) => ({
  title: `${countForms(count)} waiting to be sent`,
  text: 'You can keep what waits on this device. Only you see it, and it is sent when you sign in here again.',
  confirm: 'Discard and log out',
  cancel: 'Keep and log out',
})

export const LogoutButton = () => <IconButton label="Logout" icon={icon} {...useLogout()} />

export const LogoutItem = () => (
  <UnstyledButton className={classes.popoverItem} {...useLogout()}>
    {icon}
    Logout
  </UnstyledButton>
)
