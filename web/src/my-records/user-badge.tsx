import { Avatar } from '@mantine/core'
import type { User } from '#contract/auth.ts'
import { initialOf } from '#web/lib/initials.ts'
import classes from './my-records.module.css'

/** The signed-in fellow. */
export const UserBadge = ({ user }: { user: User }) => {
  const name = user.name.trim() || 'User'
  return (
    <div className={classes.user}>
      <Avatar name={name} size={40} aria-hidden="true">
        {initialOf(name)}
      </Avatar>
      <div className={classes.userText}>
        <bdi className={classes.userName}>{name}</bdi>
        <span className={classes.userEmail}>{user.email}</span>
      </div>
    </div>
  )
}
