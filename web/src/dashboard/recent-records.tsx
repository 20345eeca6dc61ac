import { Anchor, Paper, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatDay } from '#web/lib/dates.ts'
import { searchPath } from '#web/paths.ts'
import { refetchRecord } from '#web/records/cache/list-cache.ts'
import { Rating } from '#web/records/card/rating.tsx'
import { RecordAvatar } from '#web/records/card/record-avatar.tsx'
import { RecordLink } from '#web/records/card/record-link.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { RefreshButton } from '#web/records/refresh-button.tsx'
import { type Refreshing, useRefresh } from '#web/records/use-refresh.ts'
import { webLink } from '#web/records/web-links.ts'
import classes from './recent-records.module.css'

type RecentRecordsProps = { kind: RecordKind; records: RecordRow[]; reload: () => Promise<unknown> }

/** The newest records of a kind. `reload` updates the dashboard after a refresh. */
export function RecentRecords({ kind, records, reload }: RecentRecordsProps) {
  const client = useQueryClient()
  const refreshing = useRefresh({
    success: (name) => `${name} refreshed successfully!`,
    failure: 'Failed to refresh',
    reload: (kind, id) => Promise.all([refetchRecord(client, kind, id), reload()]),
  })
  const title = `Recent ${kind.plural}`
  return (
    <Paper withBorder component="section" className={classes.root} aria-label={title}>
      <div className={classes.head}>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Anchor
          component={Link}
          to={searchPath(kind)}
          size="sm"
          fw={600}
          aria-label={`View all ${kind.path}`}
          className={classes.all}
        >
          View all
        </Anchor>
      </div>
      {records.length === 0 && (
        <Text c="dimmed" py="xl" ta="center">
          {`No ${kind.path} added yet`}
        </Text>
      )}
      {records.map((record) => (
        <RecentRecord key={record.id} kind={kind} record={record} refreshing={refreshing} />
      ))}
    </Paper>
  )
}

type RecentRecordProps = { kind: RecordKind; record: RecordRow; refreshing: Refreshing }

function RecentRecord({ kind, record, refreshing }: RecentRecordProps) {
  const { picture, about, link } = kind.brief(record)
  const href = webLink(link.address)
  return (
    <div className={classes.row}>
      <RecordAvatar name={record.name} picture={picture} size={40} square={kind.isSquare} />
      <div className={classes.what}>
        <h3 className={classes.name} dir="auto">
          <RecordLink kind={kind} record={record}>
            {record.name}
          </RecordLink>
        </h3>
        <p className={classes.meta}>
          {about !== '' && (
            <bdi className={classes.about} title={about}>
              {about}
            </bdi>
          )}
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
        <Rating record={record} />
      </div>
      <RefreshButton kind={kind} record={record} refreshing={refreshing} />
    </div>
  )
}
