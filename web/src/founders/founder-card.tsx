import type { Founder } from '#contract/founder.ts'
import { founderFields } from '#contract/founder-fields.ts'
import { kindNamed } from '#contract/kinds.ts'
import { RecordCard } from '#web/records/card/record-card.tsx'
import type { CardProps } from '#web/records/kind.ts'
import { readFounderInfo } from './founder-info.ts'
import { FounderTitle } from './founder-title.tsx'

export function FounderCard({ record: founder, search, slots }: CardProps<Founder>) {
  const info = readFounderInfo(founder.additionalInfo)
  return (
    <RecordCard
      kind={kindNamed('founder')}
      record={founder}
      search={search}
      slots={slots}
      picture={info.profile_picture_url}
      title={<FounderTitle record={founder} search={search} />}
      about={{ what: 'bio', text: info.bio }}
      links={{ linkedIn: founder.linkedIn, email: info.email, website: info.website }}
      fields={founderFields}
    />
  )
}
