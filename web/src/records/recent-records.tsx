import { Anchor, Paper, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatDay } from '#web/lib/dates.ts'
import { RatingStars } from './rating-stars.tsx'
import classes from './recent-records.module.css'
import { RecordAvatar } from './record-avatar.tsx'
import { RefreshButton } from './refresh-button.tsx'
import type { Refreshing } from './use-refresh.ts'
import { webLink } from './web-links.ts'

type RecentRecordsProps = { title: string; all: { to: string; label: string }; children: ReactNode }

export const RecentRecords = ({ title, all, children }: RecentRecordsProps) => (
  <Paper withBorder component="section" className={classes.root} aria-label={title}>
    <div className={classes.head}>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Anchor component={Link} to={all.to} size="sm" fw={600} aria-label={all.label} className={classes.all}>
        View all
      </Anchor>
    </div>
    <div className={classes.rows}>{children}</div>
  </Paper>
)

type RecentRecordProps = {
  record: { id: string; name: string; rating: number; createdAt: string }
  picture?: string | undefined
  link: { label: string; address: string | undefined }
  refreshing: Refreshing
}

export const RecentRecord = ({ record, picture, link, refreshing }: RecentRecordProps) => {
  const href = webLink(link.address)
  return (
    <div className={classes.row}>
      <RecordAvatar name={record.name} picture={picture} size={40} />
      <div className={classes.what}>
        <h3 className={classes.name} dir="auto">
          {record.name}
        </h3>
        <p className={classes.meta}>
          {href && (
            <Anchor href={href} target="_blank" rel="noopener noreferrer" inherit className={classes.link}>
              {link.label}
              <span className="visually-hidden"> of {record.name}</span>
            </Anchor>
          )}
          <time dateTime={record.createdAt}>{formatDay(record.createdAt)}</time>
        </p>
      </div>
      <div className={classes.rating}>
        <RatingStars rating={record.rating} />
      </div>
      <RefreshButton record={record} refreshing={refreshing} />
    </div>
  )
}
