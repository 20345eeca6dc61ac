import type { Person } from './small-world.ts'

// What fellows of the small world did after they had added its records. A share places an act between the day on which
// its record was added (0) and today (1). Fellows have the places of `FELLOWS`.

/** People added a second time by another fellow, and people whose names are in other scripts. */
export const MORE_PEOPLE: Person[] = [
  ['陳怡君', 'Founder', 'Paper Crane', 'Runs the pilot line in Taichung.', 'Spoke at the materials fair.', 7],
  ['ליאור בן־דוד', 'Co-founder', 'Okapi Robotics', 'Motion control for soft grippers.', 'Asked for a call in May.', 7],
  ['Sofia Castellanos', 'CTO', 'Loomstack', '', 'Met her after the databases meetup. Wants to raise in autumn.', 8],
  ['Ingrid Solheim', 'CEO', 'Fjordkraft', '', 'Short chat on the ferry stand.', 7],
  ['Dan Osei', 'CEO', 'Ledgerline', '', 'Heard him at the payments panel.', 8],
]

/** Added a second time, with the same website. */
export const SECOND_FIRM = { name: 'Petit Atelier SAS', website: 'https://www.petit-atelier.example/fr' }

/** Imported from a spreadsheet without ratings. */
export const IMPORTED = { name: 'Björn Þórsson', notes: 'From the list of the Reykjavík meetup.', linkedIn: '' }

export const MERGE = { survivor: 'Daniel Osei', duplicate: 'Dan Osei', fellow: 3, share: 0.95 }

type About = { about: string; fellow: number; share: number }

export const FINDERS: About[] = [
  { about: 'Amara Nwosu', fellow: 2, share: 0.2 },
  { about: 'Amara Nwosu', fellow: 4, share: 0.5 },
  { about: 'Felix Brandt', fellow: 3, share: 0.4 },
  { about: 'Yuki Tanaka', fellow: 4, share: 0.3 },
  { about: 'Elena Petrova', fellow: 4, share: 0.6 },
  { about: 'Tidewater Labs', fellow: 3, share: 0.3 },
  { about: 'Northlight', fellow: 4, share: 0.5 },
]

/** Corrections of single values. The second one of a value puts it back. */
export const CORRECTIONS: (About & { values: Record<string, string> })[] = [
  { about: 'Ravi Menon', fellow: 2, share: 0.5, values: { title: 'Co-founder & CEO' } },
  { about: 'Ravi Menon', fellow: 2, share: 0.8, values: { title: 'Co-founder' } },
  { about: 'Yuki Tanaka', fellow: 4, share: 0.6, values: { title: 'Research lead' } },
  { about: 'Kelpworks', fellow: 2, share: 0.7, values: { industry: 'Aquaculture', headquarters: 'Bergen' } },
]

export const EDITS: (About & { patch: { rating?: number; notes?: string } })[] = [
  { about: 'Marcus Webb', fellow: 0, share: 0.4, patch: { rating: 6 } },
  { about: 'Marcus Webb', fellow: 0, share: 0.8, patch: { rating: 5 } },
  { about: 'Okapi Robotics', fellow: 3, share: 0.6, patch: { rating: 7 } },
  {
    ...{ about: 'Felix Brandt', fellow: 3, share: 0.7 },
    patch: { notes: 'Third call went well. Wants to raise in spring. Hardware margins look honest.' },
  },
]

export const LINKS: (About & { company: string; role: string })[] = [
  { about: 'Amara Nwosu', company: 'Tidewater Labs', role: 'Co-founder & CEO', fellow: 0, share: 0.9 },
  { about: 'Felix Brandt', company: 'Quietgrid', role: 'Founder', fellow: 1, share: 0.9 },
  { about: 'Sofía Castellanos', company: 'Loomstack', role: 'CTO', fellow: 2, share: 0.9 },
  { about: 'Daniel Osei', company: 'Ledgerline', role: 'Founder & CEO', fellow: 1, share: 0.9 },
  { about: 'Yuki Tanaka', company: 'Okapi Robotics', role: 'Researcher', fellow: 2, share: 0.9 },
  { about: 'Kwame Asante', company: 'Harvest Signal', role: 'CTO', fellow: 2, share: 0.9 },
]
