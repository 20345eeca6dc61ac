import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Kind } from '#contract/kinds.ts'
import { addPath } from '#web/paths.ts'
import { useRights } from '#web/session/use-rights.ts'

type AddButtonProps = { kind: Kind; variant?: 'filled' | 'light' | 'default' }

/** Filled only in an empty state, where it is the next action. */
export const AddButton = ({ kind, variant = 'filled' }: AddButtonProps) =>
  useRights()('change') && (
    <Button
      component={Link}
      to={addPath(kind)}
      variant={variant}
      leftSection={<IconPlus size={18} stroke={2} aria-hidden="true" />}
    >
      {`Add ${kind.label}`}
    </Button>
  )
