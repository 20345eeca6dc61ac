import { useQueryClient } from '@tanstack/react-query'
import type { Founder } from '#contract/founder.ts'
import { paths } from '#web/paths.ts'
import { RecentRecord, RecentRecords } from '#web/records/recent-records.tsx'
import { useRefresh } from '#web/records/use-refresh.ts'
import { refreshFounder, renewFounder } from './api.ts'
import { readFounderInfo } from './founder-info.ts'

type RecentFoundersProps = { founders: Founder[]; reload: () => Promise<unknown> }

/** The dashboard's list of the newest founders. `reload` brings a refreshed one onto the dashboard. */
export const RecentFounders = ({ founders, reload }: RecentFoundersProps) => {
  const client = useQueryClient()
  const refreshing = useRefresh({
    run: refreshFounder,
    success: (name) => `${name} refreshed successfully!`,
    failure: 'Failed to refresh',
    reload: (id) => Promise.all([renewFounder(client, id), reload()]),
  })
  return (
    <RecentRecords
      title="Recent Founders"
      all={{ to: paths.founders, label: 'View all founders' }}
      nothing="No founders added yet"
    >
      {founders.map((founder) => (
        <RecentRecord
          key={founder.id}
          record={founder}
          picture={readFounderInfo(founder.additionalInfo).profile_picture_url}
          link={{ label: 'LinkedIn', address: founder.linkedIn }}
          refreshing={refreshing}
        />
      ))}
    </RecentRecords>
  )
}
