import { UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import classes from './top-bar.module.css'

export const useColorSchemeSwitch = () => {
  const isDark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  const { setColorScheme } = useMantineColorScheme()
  return {
    label: isDark ? 'Light mode' : 'Dark mode',
    icon: isDark ? <IconSun size={20} stroke={1.5} /> : <IconMoon size={20} stroke={1.5} />,
    onClick: () => setColorScheme(isDark ? 'light' : 'dark'),
  }
}

export const ColorSchemeButton = () => <IconButton {...useColorSchemeSwitch()} />

export const ColorSchemeItem = () => {
  const { label, icon, onClick } = useColorSchemeSwitch()
  return (
    <UnstyledButton className={classes.popoverItem} onClick={onClick}>
      {icon}
      {label}
    </UnstyledButton>
  )
}
