import { WEEK_SHOWN, type Week, type WeekGroup } from '../contract/week.ts'
import type { WeekPartName } from '../contract/week-parts.ts'
import { mondaysOf, weekOf } from '../contract/weeks.ts'

const LONGEST = 100
const longest = (name: string) => `${name} ${'of a very long name '.repeat(6)}`.slice(0, LONGEST)
const ID = '01900000-0000-7000-8000-000000000000'

/** Numbers under this many names, or under none, as many as there are records. */
function numbers(part: WeekPartName, count: number, names: number | null): WeekGroup[] {
  const each = Math.ceil(count / (2 * (names ?? 1)))
  return (['founder', 'company'] as const).flatMap((kind) =>
    Array.from({ length: names ?? 1 }, (_, at) => ({
      ...{ part, kind, name: names === null ? null : longest(`${at + 1}`), count: each, cohort: 'week' },
      records: Array.from({ length: Math.min(each, WEEK_SHOWN) }, (_record, place) => ({
        id: ID,
        name: longest(`Record ${place + 1}`),
        number: part === 'late' ? 12 : part === 'spread' ? 7 : null,
      })),
    })),
  )
}

/** 300 new records, 200 moved and 80 passed by 60 fellows, half of them companies, with names of 100 characters. */
export function fullWeek(): Week {
  const week = weekOf(Date.now())
  const [from, until] = mondaysOf(week)
  return {
    ...{ week, from, until, isRunning: true, at: new Date().toISOString() },
    groups: [
      ...numbers('new', 300, 8),
      ...numbers('moved', 200, 8),
      ...numbers('advanced', 20, null),
      ...numbers('passed', 80, 8),
      ...numbers('back', 40, null),
      ...numbers('spread', 20, null),
      ...numbers('found', 300, 60),
      ...numbers('late', 240, 60),
    ],
  }
}

/** The number of pages of a PDF. */
export const pagesIn = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type ?\/Page\b/g)?.length ?? 0
