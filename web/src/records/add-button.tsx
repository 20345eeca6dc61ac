import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Kind } from '#contract/kinds.ts'
import { addPath } from '#web/paths.ts'

export const AddButton = ({ kind }: { kind: Kind }) => (
  <Button component={Link} to={addPath(kind)} leftSection={<IconPlus size={18} stroke={2} aria-hidden="true" />}>
    {`Add ${kind.label}`}
  </Button>
)
