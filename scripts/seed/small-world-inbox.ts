import type { KindName } from '#contract/kinds.ts'

// What the fellows of the small world have told each other lately. Shares and fellows as in `small-world-acts.ts`.

type About = { about: string; fellow: number; share: number }

/** Notes that name a fellow before their text. */
export const MENTIONS: (About & { names: number; text: string })[] = [
  { about: 'Ravi Menon', fellow: 3, share: 0.98, names: 0, text: 'you know their first customer, could you ask?' },
  { about: 'Kelpworks', fellow: 2, share: 0.9, names: 0, text: 'the licence for the second site came through.' },
  { about: 'Elena Petrova', fellow: 4, share: 0.97, names: 1, text: 'she is in Boston until Friday.' },
  { about: 'Northlight', fellow: 0, share: 0.98, names: 2, text: 'their numbers do not add up for me.' },
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
