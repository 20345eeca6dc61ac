import type { Status } from '#contract/status.ts'

// The programme of the small world: who is in which stage, who takes care of whom, tags, and second opinions. Shares and fellows as
// in `small-world-acts.ts`. The first moves of a record come first.

/** By its place: Contacted, Met, In review. */
export type Stage = 0 | 1 | 2

type Move = {
  about: string
  fellow: number
  share: number
  stage?: Stage
  status?: Status
  /** By its place in the list of reasons for passing. */
  reason?: { place: number; text?: string }
  responsible?: number
  nextStep?: string
  /** The date of the next step, in days from today. */
  nextIn?: number
  /** The day to look again, in days from today. */
  lookAgainIn?: number
}

export const MOVES: Move[] = [
  { about: 'Amara Nwosu', fellow: 0, share: 0.05, stage: 0, responsible: 0 },
  { about: 'Amara Nwosu', fellow: 0, share: 0.3, stage: 1 },
  { about: 'Amara Nwosu', fellow: 1, share: 0.7, stage: 2, nextStep: 'Send the partners the pilot numbers', nextIn: 0 },
  { about: 'Tidewater Labs', fellow: 0, share: 0.4, stage: 1, responsible: 0 },
  { about: 'Tidewater Labs', fellow: 1, share: 0.75, stage: 2 },
  { about: 'Felix Brandt', fellow: 1, share: 0.1, stage: 0, responsible: 1 },
  { about: 'Felix Brandt', fellow: 1, share: 0.35, stage: 1, nextStep: 'Visit the street in Hamburg', nextIn: 9 },
  { about: 'Quietgrid', fellow: 1, share: 0.4, stage: 1, responsible: 1 },
  { about: 'Sofía Castellanos', fellow: 2, share: 0.1, stage: 0, responsible: 2 },
  { about: 'Sofía Castellanos', fellow: 2, share: 0.25, stage: 1 },
  { about: 'Sofía Castellanos', fellow: 0, share: 0.5, stage: 2 },
  { about: 'Sofía Castellanos', fellow: 0, share: 0.85, status: 'advanced' },
  { about: 'Loomstack', fellow: 2, share: 0.45, stage: 2, responsible: 2 },
  { about: 'Loomstack', fellow: 0, share: 0.85, status: 'advanced' },
  { about: 'Ravi Menon', fellow: 0, share: 0.2, stage: 0, responsible: 2 },
  {
    about: 'Ravi Menon',
    fellow: 2,
    share: 0.6,
    stage: 1,
    nextStep: 'Ask the second hospital for a reference',
    nextIn: -3,
  },
  { about: 'Chloé Marchand', fellow: 0, share: 0.15, stage: 0, responsible: 0 },
  { about: 'Chloé Marchand', fellow: 0, share: 0.4, stage: 1 },
  {
    ...{ about: 'Chloé Marchand', fellow: 0, share: 0.7, status: 'passed' },
    reason: { place: 0, text: 'Steady, and slower than a fund needs.' },
  },
  { about: 'Daniel Osei', fellow: 1, share: 0.1, stage: 1, responsible: 1 },
  { about: 'Daniel Osei', fellow: 1, share: 0.4, stage: 2, nextStep: 'Read the second licence', nextIn: 4 },
  { about: 'Ledgerline', fellow: 1, share: 0.5, stage: 2, responsible: 1 },
  { about: 'Yuki Tanaka', fellow: 2, share: 0.2, stage: 0, responsible: 4 },
  {
    ...{ about: 'Yuki Tanaka', fellow: 4, share: 0.6, stage: 1, status: 'on_hold' },
    ...{ nextStep: 'Ask about the greenhouse trial', nextIn: 40 },
  },
  { about: 'Leila Haddad', fellow: 3, share: 0.3, stage: 0, responsible: 3 },
  { about: 'Marcus Webb', fellow: 0, share: 0.25, stage: 0, responsible: 0 },
  { about: 'Marcus Webb', fellow: 0, share: 0.6, status: 'passed', reason: { place: 1 }, lookAgainIn: 120 },
  { about: 'Ingrid Solheim', fellow: 2, share: 0.2, stage: 0, responsible: 2 },
  { about: 'Ingrid Solheim', fellow: 2, share: 0.5, stage: 1, nextStep: 'Call the second ferry line', nextIn: -1 },
  { about: 'Aditya Rao', fellow: 1, share: 0.3, stage: 0, responsible: 1 },
  { about: 'Zainab Yusuf', fellow: 0, share: 0.2, stage: 0, responsible: 0 },
  { about: 'Zainab Yusuf', fellow: 0, share: 0.5, stage: 1 },
  { about: 'Zainab Yusuf', fellow: 2, share: 0.8, stage: 2, nextStep: 'Second meeting with all partners', nextIn: 2 },
  { about: 'Mei-Ling Chou', fellow: 1, share: 0.3, stage: 0, responsible: 3 },
  { about: 'Kwame Asante', fellow: 2, share: 0.4, stage: 0, responsible: 2 },
  {
    about: 'Elena Petrova',
    fellow: 0,
    share: 0.3,
    stage: 1,
    responsible: 4,
    nextStep: 'Visit the factory',
    nextIn: 12,
  },
  { about: 'Northlight', fellow: 4, share: 0.4, stage: 1, responsible: 4 },
  { about: 'Okapi Robotics', fellow: 2, share: 0.3, stage: 0, responsible: 2 },
  { about: 'Classmate', fellow: 0, share: 0.4, stage: 1, responsible: 0 },
]

export const TAGS: { name: string; fellow: number; on: string[] }[] = [
  { name: 'Climate', fellow: 0, on: ['Amara Nwosu', 'Felix Brandt', 'Ingrid Solheim', 'Tidewater Labs', 'Quietgrid'] },
  {
    name: 'Deep tech',
    fellow: 2,
    on: ['Sofía Castellanos', 'Yuki Tanaka', 'Elena Petrova', 'Okapi Robotics', 'Northlight'],
  },
  { name: 'Fintech', fellow: 1, on: ['Daniel Osei', 'Oliver Grant', 'Ledgerline'] },
  { name: 'Demo day', fellow: 0, on: ['Amara Nwosu', 'Leila Haddad', 'Zainab Yusuf'] },
  { name: 'Alumni', fellow: 3, on: ['Marcus Webb', 'Aditya Rao'] },
]

export const OPINIONS: { about: string; fellow: number; share: number; rating: number; comment?: string }[] = [
  { about: 'Amara Nwosu', fellow: 0, share: 0.75, rating: 9, comment: 'Sells to utilities, which few can.' },
  { about: 'Amara Nwosu', fellow: 1, share: 0.8, rating: 8, comment: 'The data clause is the only open question.' },
  { about: 'Amara Nwosu', fellow: 2, share: 0.85, rating: 6, comment: 'Hardware support in ten ports will be hard.' },
  { about: 'Sofía Castellanos', fellow: 0, share: 0.6, rating: 9 },
  { about: 'Sofía Castellanos', fellow: 3, share: 0.7, rating: 9, comment: 'Best technical interview this year.' },
  { about: 'Daniel Osei', fellow: 1, share: 0.6, rating: 8 },
  { about: 'Daniel Osei', fellow: 2, share: 0.65, rating: 4, comment: 'One regulator decides everything.' },
  { about: 'Zainab Yusuf', fellow: 2, share: 0.9, rating: 8 },
  { about: 'Ledgerline', fellow: 1, share: 0.7, rating: 8 },
]
