import { TextInput } from '@mantine/core'
import type { Ref } from 'react'
import { ROLE_MAX } from '#contract/limits.ts'

import { tooLong } from '#web/ui/too-long.ts'

type RoleInputProps = {
  label: string
  role: string
  disabled: boolean
  onRole: (role: string) => void
  ref?: Ref<HTMLInputElement>
}

/** The role of a link. */
export const RoleInput = ({ role, onRole, ...others }: RoleInputProps) => (
  <TextInput
    {...others}
    autoComplete="off"
    error={tooLong('Role', role, ROLE_MAX)}
    value={role}
    onChange={(event) => onRole(event.currentTarget.value)}
  />
)
