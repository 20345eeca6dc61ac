import type { KindName } from '#contract/kinds.ts'

// What the fellows of the small world have told each other lately. Shares and fellows as in `small-world-acts.ts`.

type About = { about: string; fellow: number; share: number }

/** Notes that name a fellow before their text. */
export const MENTIONS: (About & { names: number; text: string })[] = [
  { about: 'Amara Nwosu', fellow: 3, share: 0.98, names: 0, text: 'could you ask her first customer?' },
  { about: 'Sofía Castellanos', fellow: 3, share: 0.96, names: 0, text: 'she is back on Monday.' },
  { about: 'Tidewater Labs', fellow: 4, share: 0.97, names: 1, text: 'they are in Boston until Friday.' },
  { about: 'Ledgerline', fellow: 3, share: 0.98, names: 2, text: 'do their numbers add up?' },
]

/** Requests for an opinion. */
export const ASKS: (About & { of: number[] })[] = [
  { about: 'Amara Nwosu', fellow: 4, share: 0.99, of: [0, 3] },
  { about: 'Okapi Robotics', fellow: 1, share: 0.98, of: [2, 4] },
]

export const SEARCHES: {
  name: string
  about: string
  kind: KindName
  query: Record<string, string>
  fellow: number
  isShared: boolean
  watchedBy: number[]
}[] = [
  {
    ...{ name: 'Strong first impressions', about: 'Rated 8 or more: who has not met them yet should.' },
    ...{ kind: 'founder', query: { ratingMin: '8' }, fellow: 0, isShared: true, watchedBy: [0, 2] },
  },
  {
    ...{ name: 'Not started', about: '', kind: 'company', query: { stage: 'none' } },
    ...{ fellow: 0, isShared: false, watchedBy: [0] },
  },
  {
    ...{ name: 'Waiting for my opinion', about: '', kind: 'founder', query: { opinion: 'missing' } },
    ...{ fellow: 1, isShared: false, watchedBy: [] },
  },
]
