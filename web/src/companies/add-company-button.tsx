import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '#web/paths.ts'

export const AddCompanyButton = () => (
  <Button component={Link} to={paths.addCompany} leftSection={<IconPlus size={18} stroke={2} aria-hidden="true" />}>
    Add Company
  </Button>
)
