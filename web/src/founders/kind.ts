import { IconUserPlus, IconUserSearch, IconUsers } from '@tabler/icons-react'
import type { Founder } from '#contract/founder.ts'
import { founderFields } from '#contract/founder-fields.ts'
import { kindNamed } from '#contract/kinds.ts'
import { singleFlight } from '#web/lib/single-flight.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { readFounderInfo } from './founder-info.ts'
import { FounderTitle } from './founder-title.tsx'

/** Founders in the web. */
export const founderKind: RecordKind<Founder> = {
  ...kindNamed('founder'),
  icons: { search: IconUserSearch, count: IconUsers, nothingYet: IconUserPlus, noMatch: IconUserSearch },
  texts: {
    searchPlaceholder: 'Search by name, notes, or company',
    nothingYet: 'Add the first founder you have met. Everyone on the platform will find them here.',
    add: 'Add to Network',
    addedAndEnriched: 'Founder added and enriched with LinkedIn data!',
    refreshed: (name) => `${name} refreshed with latest LinkedIn data!`,
  },
  chart: { color: 'light-dark(#0a66c2, #71b7fb)' },
  isSquare: false,
  addressField: 'linkedIn',
  fields: founderFields,
  roleField: 'title' satisfies (typeof founderFields)[number]['name'],
  brief: ({ additionalInfo, linkedIn }) => {
    const {
      profile_picture_url: picture,
      current_title: title,
      current_company: company,
    } = readFounderInfo(additionalInfo)
    return {
      picture,
      about: [title, company].filter(Boolean).join(' · '),
      link: { label: 'LinkedIn', address: linkedIn },
    }
  },
  columns: [
    { name: 'Company', text: ({ additionalInfo }) => readFounderInfo(additionalInfo).current_company ?? '' },
    { name: 'Title', text: ({ additionalInfo }) => readFounderInfo(additionalInfo).current_title ?? '' },
  ],
  Title: FounderTitle,
  card: ({ linkedIn, additionalInfo }) => {
    const { bio, email, website } = readFounderInfo(additionalInfo)
    return { about: { what: 'bio', text: bio }, links: { linkedIn, email, website } }
  },
  loadForm: singleFlight(async () => (await import('./founder-fields.tsx')).founderForm),
}
