import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import classes from './changes.module.css'

export const ChangesLink = () => (
  <Anchor component={Link} to={paths.changes} size="sm" className={classes.link ?? ''}>
    Recent changes
  </Anchor>
)
