import { Avatar } from '@mantine/core'
import type { User } from '#contract/auth.ts'
import { initialOf } from '#web/lib/initials.ts'
import classes from './user-badge.module.css'

/** Whose records these are. */
export const UserBadge = ({ user }: { user: User }) => {
  const name = user.name.trim() || 'User'
  return (
    <div className={classes.badge}>
      <Avatar size={40} aria-hidden="true">
        {initialOf(name)}
      </Avatar>
      <div className={classes.text}>
        <bdi className={classes.name}>{name}</bdi>
        <span className={classes.email}>{user.email}</span>
      </div>
    </div>
  )
}
