import { UnstyledButton } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { logout } from '#web/auth/api.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { toasts } from '#web/ui/toasts.tsx'
import classes from './top-bar.module.css'

const icon = <IconLogout size={20} stroke={1.5} />

export const useLogout = () => {
  const { mutate, isPending } = useMutation({
    ...logout,
    onSuccess: (...answer) => {
      toasts.success('Logged out successfully')
      return logout.onSuccess?.(...answer)
    },
  })
  return { onClick: () => mutate(), disabled: isPending }
}

export const LogoutButton = () => <IconButton label="Logout" icon={icon} {...useLogout()} />

export const LogoutItem = () => (
  <UnstyledButton className={classes.popoverItem} {...useLogout()}>
    {icon}
    Logout
  </UnstyledButton>
)
