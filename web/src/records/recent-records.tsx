import { Anchor, Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatDay } from '#web/lib/dates.ts'
import { RatingStars } from './rating-stars.tsx'
import classes from './recent-records.module.css'
import { RecordAvatar } from './record-avatar.tsx'
import { RefreshButton } from './refresh-button.tsx'
import type { Refreshing } from './use-refresh.ts'
import { webLink } from './web-links.ts'

type RecentRecordsProps = {
  title: string
  all: { to: string; label: string }
  nothing: string
  children: ReactNode[]
}

export const RecentRecords = ({ title, all, nothing, children }: RecentRecordsProps) => (
  <Paper withBorder component="section" className={classes.root} aria-label={title}>
    <div className={classes.head}>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Anchor component={Link} to={all.to} size="sm" fw={600} aria-label={all.label} className={classes.all}>
        View all
      </Anchor>
    </div>
    {children.length === 0 && (
      <Text c="dimmed" py="xl" ta="center">
        {nothing}
      </Text>
    )}
    {children}
  </Paper>
)

type RecentRecordProps = {
  record: { id: string; name: string; rating: number; createdAt: string }
  picture?: string | undefined
  square?: boolean
  link: { label: string; address: string | null }
  refreshing: Refreshing
}

export const RecentRecord = ({ record, picture, square, link, refreshing }: RecentRecordProps) => {
  const href = webLink(link.address)
  return (
    <div className={classes.row}>
      <RecordAvatar name={record.name} picture={picture} size={40} square={square ?? false} />
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
